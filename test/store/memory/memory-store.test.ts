import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { OrderRecord } from '../../../store/file/record.ts'
import { draftStore } from '../../../store/memory/memory-store.ts'
import { PAGE_SIZE } from '../../../store/memory/page.ts'
import { listOf } from '../../fixtures/list.ts'

const missing = 2n ** 53n + 1n

function storeOf(orders: readonly OrderRecord[]) {
  const draft = draftStore()
  orders.forEach(draft.add)
  return draft.finish().store
}
const pending = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id: BigInt(id), status: 'pending' }) as const)

t.test('a pending order is cancelled once; a shipped one, or none, is not', async (t) => {
  const store = storeOf([
    { id: 1n, status: 'pending', complete: true },
    { id: 2n, status: 'shipped', complete: false },
    { id: 3n, status: 'cancelled' },
  ])
  t.equal(await store.cancel(1n), 'cancelled')
  for (let again = 0; again < 2; again++) {
    t.equal(await store.cancel(1n), 'already_cancelled')
    t.equal(await store.cancel(2n), 'already_shipped')
    t.equal(await store.cancel(3n), 'already_cancelled')
    for (const id of [4n, 0n, -1n, missing, 2n ** 64n + 1n]) t.equal(await store.cancel(id), 'not_found')
  }
  t.equal(await listOf(store), '[{"id":2,"complete":false}]')
  await store.close()
})

t.test('a cancelled order leaves the list, and only its page is another', async (t) => {
  const store = storeOf(pending(3 * PAGE_SIZE))
  const before = await store.list()
  const bytes = before.map((page) => page.json())
  const hashes = before.map((page) => page.hash())
  const [first, last] = [BigInt(PAGE_SIZE), BigInt(2 * PAGE_SIZE - 1)]
  t.equal(await store.cancel(first), 'cancelled')
  t.equal(await store.cancel(last), 'cancelled')

  const after = await store.list()
  t.strictSame(
    after.map((page, at) => page === before[at]),
    [true, false, true],
  )
  t.strictSame(
    after.map(({ count }) => count),
    [PAGE_SIZE, PAGE_SIZE - 2, PAGE_SIZE],
  )
  t.not(after[1]?.hash(), hashes[1])
  const shown = pending(3 * PAGE_SIZE).filter(({ id }) => id !== first && id !== last)
  t.equal(await listOf(store), `[${shown.map(({ id }) => `{"id":${id}}`).join(',')}]`)

  t.strictSame(
    before.map(({ count }) => count),
    [PAGE_SIZE, PAGE_SIZE, PAGE_SIZE],
  )
  t.ok(
    before.every((page, at) => page.json() === bytes[at] && page.hash() === hashes[at]),
    'who holds a page keeps it',
  )
})

t.test('a page that is first read after a cancel is still as it was before', async (t) => {
  const store = storeOf(pending(2))
  const [page] = await store.list()
  await store.cancel(0n)
  t.equal(page?.json().toString(), ',{"id":0},{"id":1}')
})

t.test('equal orders give equal hashes, whatever was cancelled on the way', async (t) => {
  const hashOf = async (store: ReturnType<typeof storeOf>) => (await store.list()).map((page) => page.hash())
  const cancelled = storeOf(pending(3))
  await cancelled.cancel(1n)
  const loaded = storeOf(pending(3).map((order) => (order.id === 1n ? { ...order, status: 'cancelled' } : order)))
  t.strictSame(await hashOf(cancelled), await hashOf(loaded))
  t.notSame(await hashOf(cancelled), await hashOf(storeOf(pending(3))))
})

t.test('a list of many changed pages gives way to others', async (t) => {
  const store = storeOf(pending(300 * PAGE_SIZE))
  await store.list()
  const changed = Array.from({ length: 300 }, (_, page) => BigInt(page * PAGE_SIZE + page))
  await Promise.all(changed.map(store.cancel))
  const before = await Promise.all([store.list(), store.list()])
  t.equal(before[0], before[1], 'made once for all who ask')

  await store.cancel(1n)
  const list = store.list()
  await store.cancel(2n)
  const shown = (pages: Awaited<ReturnType<typeof store.list>>) => pages.reduce((sum, { count }) => sum + count, 0)
  t.equal(shown(await list), 300 * PAGE_SIZE - 301, 'as it was when it was asked for')
  t.equal(shown(await store.list()), 300 * PAGE_SIZE - 302)
})

t.test('of many concurrent cancels of an order exactly one succeeds', async (t) => {
  const store = storeOf(pending(2 * PAGE_SIZE))
  const outcomes = await Promise.all(Array.from({ length: 1000 }, () => store.cancel(1500n)))
  t.strictSame(outcomes, ['cancelled', ...Array(999).fill('already_cancelled')])
  t.strictSame(
    (await store.list()).map(({ count }) => count),
    [PAGE_SIZE, PAGE_SIZE - 1],
  )
})

t.test('a pet is found as fast as an order, whatever the other orders name', async (t) => {
  const bare = storeOf(pending(200_000))
  const named = storeOf(pending(200_000).map((order) => ({ ...order, petId: 2n * order.id - 200_000n })))
  const asked = async (pets: (at: number) => bigint, store: typeof bare) => {
    let found = 0
    for (let at = 0; at < 100_000; at++) if (await store.hasPet(pets(at))) found++
    return found
  }
  t.equal(await asked(() => 0n, bare), 0)
  t.equal(await asked((at) => BigInt(2 * at + 1), named), 0)
  t.equal(await asked((at) => BigInt(2 * at - 200_000), named), 100_000)
})

t.test('a store behaves as a plain list of orders does', async (t) => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  const order: fc.Arbitrary<OrderRecord> = fc.record(
    {
      id: int64,
      petId: fc.oneof(int64, fc.bigInt({ min: 0n, max: 3n })),
      quantity: fc.integer(),
      shipDate: fc.integer({ min: Date.parse('0000-01-01'), max: Date.parse('9999-12-31') }),
      complete: fc.boolean(),
      status: fc.constantFrom('pending', 'shipped', 'cancelled'),
    },
    { requiredKeys: ['id', 'status'] },
  )
  const some = fc.uniqueArray(order, { selector: ({ id }) => id, maxLength: 12 })
  const filler = pending(PAGE_SIZE - 5) // so that the others cross the end of a page
  const outcomes = { pending: 'cancelled', shipped: 'already_shipped', cancelled: 'already_cancelled' }
  const same = fc.asyncProperty(some, fc.array(fc.nat(15)), async (others, cancels) => {
    const all: OrderRecord[] = [...filler, ...others.filter(({ id }) => id < 0n || id >= filler.length)]
    const store = storeOf(all)
    const statuses = new Map(all.map(({ id, status }) => [id, status]))
    const shown = () => all.filter(({ id }) => statuses.get(id) !== 'cancelled')
    for (const at of cancels) {
      assert.equal(await listOf(store), jsonOf(shown()))
      const { id } = all.at(-at) as OrderRecord
      const status = statuses.get(id) as OrderRecord['status']
      assert.equal(await store.cancel(id), outcomes[status])
      if (status === 'pending') statuses.set(id, 'cancelled')
    }
    assert.equal(await listOf(store), jsonOf(shown()))
    const pets = new Set(all.map(({ petId }) => petId))
    for (const petId of [0n, 1n, 2n, 3n]) assert.equal(await store.hasPet(petId), pets.has(petId))
  })
  await t.resolves(fc.assert(same))
})

function jsonOf(orders: OrderRecord[]): string {
  const json = JSON.stringify(orders, (name, value) => {
    if (typeof value === 'bigint') return `${value}n`
    if (name === 'shipDate') return new Date(value).toISOString()
    return name === 'status' ? undefined : value
  })
  return json.replace(/"(-?\d+)n"/g, '$1')
}
