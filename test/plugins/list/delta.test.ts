import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { withDelta } from '../../../client/delta.ts'
import { parseExact } from '../../../client/json.ts'
import { deltaIn, ordersIn } from '../../../client/shapes.ts'
import { type Delta, deltaBetween, emptyDelta, extend, jsonOf } from '../../../plugins/list/delta.ts'
import type { OrderPage } from '../../../store/page.ts'
import { jsonOfPages } from '../../fixtures/list.ts'

type Orders = Map<number, string>
const PAGE = 4

function page(orders: Orders): OrderPage {
  const json = Buffer.from([...orders.values()].map((order) => `,${order}`).join(''))
  return { count: orders.size, json: () => json, hash: () => String(json) }
}

/** By the pages' numbers; a page that did not change is the same as before, and one without orders may be missing. */
function pagesOf(orders: Orders, before: Map<number, OrderPage>): Map<number, OrderPage> {
  const pages = new Map<number, OrderPage>()
  for (const number of new Set([...orders.keys()].map((position) => Math.floor(position / PAGE)))) {
    const made = page(new Map([...orders].filter(([position]) => Math.floor(position / PAGE) === number)))
    const known = before.get(number)
    pages.set(number, known?.json().equals(made.json()) ? known : made)
  }
  return new Map([...pages].sort(([a], [b]) => a - b))
}

const order = (position: number, quantity: number) =>
  `{"id":${9007199254740993n + BigInt(position)},"quantity":${quantity}}`

/** What a client makes of a delta, as JSON. */
function applied(list: string, delta: Delta): string | undefined {
  const orders = withDelta(ordersIn(parseExact(list)), deltaIn(parseExact(jsonOf(delta))))
  return (
    orders &&
    JSON.stringify(orders, (_, value) => (typeof value === 'bigint' ? `\0${value}` : value)).replace(
      /"\\u0000(-?\d+)"/g,
      '$1',
    )
  )
}

const change = fc.record({ position: fc.nat(23), quantity: fc.option(fc.nat(3), { nil: undefined }) })

t.test('a delta applied to the old list gives the new one, byte for byte', async (t) => {
  let seen = 0
  let unknown = 0
  const property = fc.property(
    fc.uniqueArray(fc.nat(19), { maxLength: 20 }),
    fc.array(fc.array(change, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
    (positions, rounds) => {
      let orders: Orders = new Map(positions.sort((a, b) => a - b).map((position) => [position, order(position, 0)]))
      let pages = pagesOf(orders, new Map())
      let whole: { from: string; delta: Delta } | undefined = { from: jsonOfPages(pages.values()), delta: emptyDelta() }
      for (const changes of rounds) {
        const next = new Map(orders)
        for (const { position, quantity } of changes) {
          if (quantity === undefined) next.delete(position)
          else next.set(position, order(position, quantity))
        }
        orders = new Map([...next].sort(([a], [b]) => a - b))
        const before = pages
        pages = pagesOf(orders, before)
        const list = jsonOfPages(pages.values())
        const delta = deltaBetween([...before.values()], [...pages.values()])
        if (!delta) {
          unknown++
          whole = { from: list, delta: emptyDelta() }
          continue
        }
        seen++
        assert.equal(applied(jsonOfPages(before.values()), delta), list)
        extend(whole.delta, delta)
        assert.equal(applied(whole.from, whole.delta), list)
      }
    },
  )
  fc.assert(property, { numRuns: 2_000 })
  t.ok(seen > 1_000, `${seen} deltas`)
  t.ok(unknown > 0, `${unknown} lists with orders inserted before others`)
})

const deltaOf = (before: OrderPage[], after: OrderPage[]) => {
  const delta = deltaBetween(before, after)
  return delta && jsonOf(delta)
}
const pageOf = (...ids: number[]) => page(new Map(ids.map((id) => [id, `{"id":${id}}`])))

t.test('a delta names what changed, and nothing else', async (t) => {
  const [first, last] = [pageOf(1, 2, 3), pageOf(4, 5)]
  const same = '{"removed":[],"changed":[],"appended":[]}'
  t.equal(deltaOf([], []), same)
  t.equal(deltaOf([first, last], [first, last]), same)
  t.equal(deltaOf([first, last], [pageOf(1, 3), last]), '{"removed":[2],"changed":[],"appended":[]}')
  t.equal(deltaOf([first, last], [first]), '{"removed":[4,5],"changed":[],"appended":[]}')
  t.equal(deltaOf([first], [first, last]), '{"removed":[],"changed":[],"appended":[{"id":4},{"id":5}]}')
  const changed = page(new Map([[2, '{"id":2,"complete":true}']]))
  t.equal(
    deltaOf([pageOf(2), last], [changed, last]),
    '{"removed":[],"changed":[{"id":2,"complete":true}],"appended":[]}',
  )
})

t.test('an order inserted near the end moves those after it there; one inserted elsewhere is no delta', async (t) => {
  const [first, last] = [pageOf(1, 3), pageOf(5, 7)]
  t.equal(
    deltaOf([first, last], [first, pageOf(5, 6, 7)]),
    '{"removed":[7],"changed":[],"appended":[{"id":6},{"id":7}]}',
  )
  t.equal(deltaOf([first, last], [pageOf(1, 2, 3), last]), undefined)
})

t.test('what happens to an order later replaces what happened before', async (t) => {
  const delta = deltaBetween([pageOf(1)], [pageOf(1, 2, 3)]) as Delta
  extend(delta, deltaBetween([pageOf(1, 2, 3)], [pageOf(1, 3)]) as Delta)
  t.equal(jsonOf(delta), '{"removed":[],"changed":[],"appended":[{"id":3}]}')
  const changed = page(
    new Map([
      [1, '{"id":1,"petId":4}'],
      [3, '{"id":3,"petId":5}'],
    ]),
  )
  extend(delta, deltaBetween([pageOf(1, 3)], [changed]) as Delta)
  t.equal(jsonOf(delta), '{"removed":[],"changed":[{"id":1,"petId":4}],"appended":[{"id":3,"petId":5}]}')
  extend(delta, deltaBetween([changed], []) as Delta)
  t.equal(jsonOf(delta), '{"removed":[1],"changed":[],"appended":[]}')
})
