import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type HistoryOptions, listHistory } from '../../../plugins/list/history.ts'
import type { OrderPage } from '../../../store/page.ts'

function page(...ids: number[]): OrderPage {
  const json = Buffer.from(ids.map((id) => `,{"id":${id}}`).join(''))
  return { count: ids.length, json: () => json, hash: () => String(json) }
}

/** A history of lists that grow by one order each; the ETag of a list is how many it has. */
function grown(t: Test, lists: number, options?: HistoryOptions) {
  const history = listHistory(options)
  t.teardown(() => history.close())
  const ids = Array.from({ length: lists }, (_, id) => id)
  for (const count of ids) history.add({ etag: String(count), pages: [page(...ids.slice(0, count))] })
  return history
}

const appended = (...ids: number[]) =>
  `{"removed":[],"changed":[],"appended":[${ids.map((id) => `{"id":${id}}`).join()}]}`

t.test('the changes since any known list are known, to all who ask', async (t) => {
  const history = grown(t, 4)
  t.equal(history.since('0'), appended(0, 1, 2))
  t.equal(history.since('2'), appended(2))
  t.equal(history.since('2'), appended(2))
  t.equal(history.since('x'), undefined)
  history.add({ etag: '3', pages: [page(0, 1, 2)] })
  t.equal(history.since('2'), appended(2), 'the same list again')
  history.add({ etag: '4', pages: [page(0, 1, 2, 3)] })
  t.equal(history.since('2'), appended(2, 3))
})

t.test('a list that comes back counts from its last time', async (t) => {
  const history = grown(t, 3)
  for (const count of [1, 2, 3]) history.add({ etag: String(count), pages: [page(...[0, 1, 2].slice(0, count))] })
  t.equal(history.since('1'), appended(1, 2))
})

t.test('it holds so many changes, and so many bytes, and forgets the oldest first', async (t) => {
  const few = grown(t, 10, { steps: 2 })
  t.equal(few.since('6'), undefined)
  t.equal(few.since('7'), appended(7, 8))
  const small = grown(t, 10, { bytes: 200 })
  t.equal(small.since('6'), undefined)
  t.equal(small.since('7'), appended(7, 8))
  t.equal(grown(t, 10, { bytes: 10 }).since('8'), undefined, 'no change is small enough')
})

t.test('after a change that it cannot say, it begins anew', async (t) => {
  const history = grown(t, 3)
  const last = page(7)
  history.add({ etag: 'a', pages: [page(0, 1), last] })
  history.add({ etag: 'b', pages: [page(0, 5, 1), last] })
  t.equal(history.since('a'), undefined)
  history.add({ etag: 'c', pages: [page(0, 5), last] })
  t.equal(history.since('b'), '{"removed":[1],"changed":[],"appended":[]}')
})

t.test('when nobody asks any more, it forgets', async (t) => {
  const history = grown(t, 3, { idleMs: 1 })
  while (history.since('1') !== undefined) await setImmediate()
  t.equal(history.since('1'), undefined)
})
