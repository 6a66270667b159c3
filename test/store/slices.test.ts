import t from 'tap'
import { block } from 'test-kit/until'
import { inSlices } from '../../store/slices.ts'

t.test('each iteration of the event loop runs one slice', async (t) => {
  const events: string[] = []
  /** Takes longer than a slice. */
  const work = (name: string) => {
    block(11)
    events.push(name)
  }
  const iterate = () => {
    events.push('iteration')
    if (events.length < 100) setImmediate(iterate)
  }
  setImmediate(iterate)
  await Promise.all(['aaaa', 'bbbb'].map((items) => inSlices(items, work)))
  const rest = events.slice(2).join(' ')
  t.notMatch(rest, /\b[ab] [ab]\b/, 'never two slices, however many lists are built')
  t.equal(events.filter((event) => event === 'a').length, 4)
  events.length = 100
})
