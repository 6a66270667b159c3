// What only the store in memory does; see contract.test.ts for what every store does.
import t from 'tap'
import { PAGE_SIZE } from '../../../store/memory/page.ts'
import { memoryStoreOf } from '../../fixtures/list.ts'

const pending = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id: BigInt(id), status: 'pending' }) as const)

t.test('a page that is first read after a cancel is still as it was before', async (t) => {
  const store = memoryStoreOf(pending(2))
  const [page] = await store.list()
  await store.cancel(0n)
  t.equal(page?.json().toString(), ',{"id":0},{"id":1}')
})

t.test('a list of many changed pages gives way to others', async (t) => {
  const store = memoryStoreOf(pending(300 * PAGE_SIZE))
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
