import t from 'tap'
import { orderModel } from './model.ts'

const orders = { placed: [1n, 2n, 3n], pending: [1n, 2n], shipped: new Set([3n]), text: '' }
const list = (...ids: number[]) => JSON.stringify(ids.map((id) => ({ id })))

t.test('the list follows the responses', async (t) => {
  const model = orderModel(orders)
  t.strictSame(model.compare(list(1, 2, 3)), [])
  t.equal(model.follow({ order: 1n, status: 204 }), undefined)
  t.equal(model.follow({ order: 1n, status: 404, code: 'order_already_cancelled' }), undefined)
  t.equal(model.follow({ order: 3n, status: 409, code: 'order_already_shipped' }), undefined)
  t.equal(model.follow({ order: 9n, status: 404, code: 'order_not_found' }), undefined)
  t.equal(model.follow({ order: 2n, status: 401, code: 'unauthorized' }), undefined)
  t.strictSame(model.compare(list(2, 3)), [])
  t.equal(model.left(), 1)
})

t.test('an order whose response was lost may be cancelled or not, until the list shows which', async (t) => {
  const model = orderModel(orders)
  model.follow({ order: 1n, status: 0 })
  model.follow({ order: 2n, status: 0 })
  t.strictSame(model.compare(list(2, 3)), [])
  t.match(model.compare(list(1, 2, 3)), [{ message: /order 1 is listed/ }])
  t.match(model.compare(list(3)), [{ message: /order 2 left the list/, order: 2n }])
})

t.test('any contradiction to the orders is reported', async (t) => {
  const problemOf = (...outcomes: Parameters<ReturnType<typeof orderModel>['follow']>[0][]) => {
    const model = orderModel(orders)
    return outcomes.map((outcome) => model.follow(outcome)).at(-1)
  }
  t.match(problemOf({ order: 1n, status: 204 }, { order: 1n, status: 204 }), /second 204/)
  t.match(problemOf({ order: 3n, status: 204 }), /not pending/)
  t.match(problemOf({ order: 1n, status: 409, code: 'order_already_shipped' }), /409/)
  t.match(problemOf({ order: 1n, status: 404, code: 'order_not_found' }), /404 order_not_found/)
  t.match(problemOf({ order: 3n, status: 404, code: 'order_already_cancelled' }), /404/)
})

t.test('any contradiction to the list is reported', async (t) => {
  t.match(orderModel(orders).compare(list(1, 3)), [{ message: /order 2 left the list without a 204/ }])
  t.match(orderModel(orders).compare(list(2, 1, 3)), [{ message: /order of placement/ }])
  const model = orderModel(orders)
  model.follow({ order: 1n, status: 204 })
  model.follow({ order: 2n, status: 404, code: 'order_already_cancelled' })
  t.match(model.compare(list(1, 2, 3)), [
    { message: /order 1 is listed after its 204/ },
    { message: /called cancelled/ },
  ])
})
