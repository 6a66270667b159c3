import t from 'tap'
import { readInSlices } from '../../../store/memory/slices.ts'
import { block } from '../../fixtures/block.ts'

/** A page that takes longer than a slice to build. */
function slowPage(hashed: () => void) {
  return {
    count: 1,
    length: 2,
    json: () => Buffer.from('{}'),
    hash() {
      block(11)
      hashed()
      return ''
    },
  }
}

t.test('each iteration of the event loop runs one slice', async (t) => {
  const events: string[] = []
  const pages = (name: string) => Array.from({ length: 4 }, () => slowPage(() => events.push(name)))
  const iterate = () => {
    events.push('iteration')
    if (events.length < 100) setImmediate(iterate)
  }
  setImmediate(iterate)
  const [first, second] = [pages('a'), pages('b')]
  const lists = await Promise.all([readInSlices(first), readInSlices(second)])
  t.equal(lists[0], first)
  t.equal(lists[1], second)
  const between = events
    .slice(2)
    .join(' ')
    .split(/(?:iteration ?)+/)
  t.ok(
    between.every((slice) => slice.trim().split(' ').length === 1),
    'never two slices, however many lists are built',
  )
  t.equal(events.filter((event) => event === 'a').length, 4)
  events.length = 100
})
