// What is specific to the memory store; contract.test.ts tests what all stores have in common.
import t from 'tap'
import { BLOCK_SIZE } from '../../../store/page.ts'
import { countIn, memoryStoreOf } from '../list.ts'

const pending = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id: BigInt(id), status: 'pending' }) as const)

t.test('a list of many changed pages does not block other requests', async (t) => {
  const store = memoryStoreOf(pending(300 * BLOCK_SIZE))
  await store.list()
  const changed = Array.from({ length: 300 }, (_, page) => BigInt(page * BLOCK_SIZE + page))
  await Promise.all(changed.map(store.cancel))
  const before = await Promise.all([store.list(), store.list()])
  t.equal(before[0], before[1], 'built once for concurrent requests')

  await store.cancel(1n)
  const list = store.list()
  await store.cancel(2n)
  t.equal(countIn(await list), 300 * BLOCK_SIZE - 301, 'as of the request')
  t.equal(countIn(await store.list()), 300 * BLOCK_SIZE - 302)
})
