import t from 'tap'
import { type Search, search } from '../../../cli/mcp/search.ts'
import type { Order } from '../../../packages/client/index.ts'

const orders: Order[] = [
  { id: 1n, petId: 9223372036854775807n, quantity: 1, shipDate: '2026-01-01T00:00:00.000Z', complete: true },
  { id: 2n, petId: 5n, quantity: 2, shipDate: '2026-01-02T00:00:00.000Z', complete: false },
  { id: 3n, petId: 5n, quantity: 3 },
  { quantity: 4 },
]
const find = (wanted: Partial<Search>) => search(orders, { offset: 0, limit: 20, ...wanted })
const quantities = (wanted: Partial<Search>) => find(wanted).orders.map(({ quantity }) => quantity)

t.test('every field narrows the search, and orders without it do not match', async (t) => {
  t.strictSame(quantities({}), [1, 2, 3, 4])
  t.strictSame(quantities({ orderId: '2' }), [2])
  t.strictSame(quantities({ petId: '9223372036854775807' }), [1])
  t.strictSame(quantities({ petId: '9223372036854775806' }), [], 'no digit is lost')
  t.strictSame(quantities({ petId: '5', minQuantity: 3 }), [3])
  t.strictSame(quantities({ maxQuantity: 2 }), [1, 2])
  t.strictSame(quantities({ minQuantity: 2, maxQuantity: 3 }), [2, 3])
  t.strictSame(quantities({ complete: false }), [2])
  t.strictSame(quantities({ shipsFrom: '2026-01-01T01:00:00+01:00' }), [1, 2])
  t.strictSame(quantities({ shipsBefore: '2026-01-02T00:00:00Z' }), [1])
  t.strictSame(quantities({ shipsFrom: '2026-01-02T00:00:00Z', shipsBefore: '2026-01-02T00:00:00.001Z' }), [2])
})

t.test('a page of the matches is returned, with identifiers as text', async (t) => {
  t.strictSame(find({ offset: 1, limit: 1 }), {
    total: 4,
    orders: [{ id: '2', petId: '5', quantity: 2, shipDate: '2026-01-02T00:00:00.000Z', complete: false }],
  })
  t.strictSame(find({ offset: 3 }), { total: 4, orders: [{ quantity: 4 }] })
})
