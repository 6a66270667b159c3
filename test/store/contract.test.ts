// Runs the same tests against every store.
import assert from 'node:assert/strict'
import { modelOf } from 'exact-openapi/model'
import t, { type Test } from 'tap'
import { fc } from 'test-kit/properties'
import { loadDocument } from '../../spec/document.ts'
import type { OrderRecord } from '../../store/file/record.ts'
import { type OrderStore, orderStatuses } from '../../store/order-store.ts'
import { BLOCK_SIZE, type OrderPage } from '../../store/page.ts'
import { inGroups, oneByOne } from '../../store/postgres/cancellations.ts'
import { insertOrders, migratedDatabase, storeAt } from '../postgres/orders.ts'
import { proxyTo, through } from '../postgres/proxy.ts'
import { countIn, listOf, memoryStoreOf } from './list.ts'

const missing = 2n ** 53n + 1n

/** Creates a store with only these orders. The next response of its database can be lost, if it has one. */
interface Maker {
  /** Of the property: in memory, more are cheap. */
  numRuns: number
  storeOf(orders: readonly OrderRecord[]): Promise<OrderStore>
  loseResponse(): void
}

async function inPostgres(t: Test, createCanceller: typeof oneByOne): Promise<Maker> {
  const db = await migratedDatabase(t)
  const proxy = await proxyTo(t, db.port)
  const store = storeAt(t, through(db, proxy.port), { createCanceller })
  return {
    numRuns: 15,
    async storeOf(orders) {
      await db.query('TRUNCATE store_orders.orders RESTART IDENTITY')
      await insertOrders(db, orders)
      return store
    },
    loseResponse: () => proxy.cutAnswer(() => true),
  }
}

const stores: Record<string, (t: Test) => Promise<Maker>> = {
  memory: async (t) => ({
    numRuns: 60,
    async storeOf(orders) {
      const store = memoryStoreOf(orders)
      t.teardown(() => store.close())
      return store
    },
    loseResponse() {},
  }),
  PostgreSQL: (t) => inPostgres(t, inGroups),
  'PostgreSQL, with a statement for each cancellation': (t) => inPostgres(t, oneByOne),
}

/** Each method that changes something, and what its first caller gets. */
const changes: Record<string, { run(store: OrderStore): Promise<unknown>; first: unknown }> = {
  cancel: { run: (store) => store.cancel(1n), first: 'cancelled' },
}

const pending = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id: BigInt(id), status: 'pending' }) as const)

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const order: fc.Arbitrary<OrderRecord> = fc.record(
  {
    id: int64,
    petId: fc.oneof(int64, fc.bigInt({ min: 0n, max: 3n })),
    quantity: fc.integer(),
    shipDate: fc
      .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    complete: fc.boolean(),
    status: fc.constantFrom(...orderStatuses),
  },
  { requiredKeys: ['id', 'status'] },
)
/** What cancelling an order results in, by its status. */
const outcomeOf = (status: string) => (status === 'pending' ? 'cancelled' : `already_${status}`)
/** An order by its place, or an id, which few orders have. */
const wanted = fc.oneof(fc.nat(15), int64, fc.constantFrom(missing, 2n ** 64n + 1n))
const some = fc.uniqueArray(order, { selector: ({ id }) => id, maxLength: 12 })
/** With fillers, so that the other orders cross the end of a page. */
const filler = pending(BLOCK_SIZE - 5)
const filled = (others: OrderRecord[]): OrderRecord[] => [
  ...filler,
  ...others.filter(({ id }) => id < 0n || id >= filler.length),
]

for (const [name, maker] of Object.entries(stores)) {
  t.test(`the store in ${name}`, async (t) => {
    const { numRuns, storeOf, loseResponse } = await maker(t)

    await t.test('lists orders with the fields of the document', async (t) => {
      const shipDate = '2026-10-05T09:00:00.000Z'
      const store = await storeOf([{ id: 1n, petId: 2n, quantity: 3, shipDate, complete: true, status: 'shipped' }])
      const [listed] = JSON.parse(await listOf(store))
      t.strictSame(Object.keys(listed), Object.keys(modelOf(loadDocument()).schemas.get('Order')?.properties ?? {}))
    })

    for (const [name, { run, first }] of Object.entries(changes)) {
      await t.test(`${name} is done once, and recognized by its caller, if the response is lost`, async (t) => {
        const store = await storeOf(pending(3))
        await store.hasPet(1n) // over a connection that is then used
        loseResponse()
        t.strictSame(await run(store), first)
        t.not(await run(store), first)
      })
    }

    await t.test('omits a cancelled order from the list, replacing only its page', async (t) => {
      const store = await storeOf(pending(3 * BLOCK_SIZE))
      const before = await store.list()
      const bytes = before.map((page) => String(page.json()))
      const hashes = before.map((page) => page.hash())
      const ids = Array.from(bytes[1]?.matchAll(/\d+/g) ?? [], ([id]) => BigInt(id))
      const [, second, last] = [...ids.slice(0, 2), ids.at(-1)] as [bigint, bigint, bigint]
      t.equal(await store.cancel(second), 'cancelled')
      t.equal(await store.cancel(last), 'cancelled')

      const after = await store.list()
      t.ok(after.every((page, at) => (page === before[at]) === (at !== 1)))
      t.equal(after[1]?.count, ids.length - 2)
      t.not(after[1]?.hash(), hashes[1])
      t.equal(await listOf(store), jsonOf(pending(3 * BLOCK_SIZE).filter(({ id }) => id !== second && id !== last)))
      const isUnchanged = (page: OrderPage, at: number) => `${page.json()}` === bytes[at] && page.hash() === hashes[at]
      t.ok(before.every(isUnchanged), 'earlier pages')
    })

    await t.test('never lists an order whose cancellation has succeeded', async (t) => {
      const store = await storeOf(pending(100))
      await Promise.all(
        Array.from({ length: 100 }, async (_, id) => {
          t.equal(await store.cancel(BigInt(id)), 'cancelled')
          t.notOk(`${await listOf(store)},`.includes(`{"id":${id}}`), `${id}`)
        }),
      )
      t.equal(await listOf(store), '[]')
    })

    await t.test('lets exactly one of many concurrent cancellations succeed', async (t) => {
      const store = await storeOf(pending(2 * BLOCK_SIZE))
      const outcomes = await Promise.all(Array.from({ length: 200 }, () => store.cancel(1500n)))
      t.strictSame(outcomes.toSorted(), [...Array(199).fill('already_cancelled'), 'cancelled'])
      t.equal(countIn(await store.list()), 2 * BLOCK_SIZE - 1)
    })

    await t.test('behaves like a plain list of orders', async (t) => {
      const same = fc.asyncProperty(fc.boolean(), some, fc.array(wanted), async (isFilled, others, cancels) => {
        const all = isFilled ? filled(others) : others
        const store = await storeOf(all)
        const statuses = new Map(all.map(({ id, status }) => [id, status]))
        const countOf = (status: string) => [...statuses.values()].filter((each) => each === status).length
        const counts = () => Object.fromEntries(orderStatuses.map((status) => [status, countOf(status)]))
        const pets = new Set(all.flatMap(({ petId }) => petId ?? []))
        assert.deepEqual(await store.countByStatus(), counts())
        for (const each of cancels) {
          const before = await store.list()
          const id = typeof each === 'number' ? (all.at(-each)?.id ?? 0n) : each
          const status = statuses.get(id)
          assert.equal(await store.cancel(id), status ? outcomeOf(status) : 'not_found')
          if (status === 'pending') statuses.set(id, 'cancelled')
          else assert.equal(await store.list(), before, 'the same array, as nothing has changed')
          assert.equal(await listOf(store), jsonOf(all.filter(({ id }) => statuses.get(id) !== 'cancelled')))
        }
        assert.deepEqual(await store.countByStatus(), counts())
        for (const petId of [...pets, 0n, 1n, 2n, 3n, missing, 2n ** 64n + 1n])
          assert.equal(await store.hasPet(petId), pets.has(petId), `pet ${petId}`)
      })
      await t.resolves(fc.assert(same, { numRuns }))
    })
  })
}

function jsonOf(orders: readonly OrderRecord[]): string {
  const json = JSON.stringify(orders, (name, value) => {
    if (typeof value === 'bigint') return `${value}n`
    return name === 'status' ? undefined : value
  })
  return json.replace(/"(-?\d+)n"/g, '$1')
}
