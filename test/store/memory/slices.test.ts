import t from 'tap'
import { readInSlices } from '../../../store/memory/slices.ts'

/** A page that takes longer than a slice to make. */
function slowPage(hashed: () => void) {
  return {
    count: 1,
    json: () => Buffer.from('{}'),
    hash() {
      const begin = performance.now()
      while (performance.now() < begin + 11);
      hashed()
      return ''
    },
  }
}

t.test('between slices the event loop turns, once for each of them', async (t) => {
  const events: string[] = []
  const pages = (name: string) => Array.from({ length: 4 }, () => slowPage(() => events.push(name)))
  const turn = () => {
    events.push('turn')
    if (events.length < 100) setImmediate(turn)
  }
  setImmediate(turn)
  const [first, second] = [pages('a'), pages('b')]
  const lists = await Promise.all([readInSlices(first), readInSlices(second)])
  t.equal(lists[0], first)
  t.equal(lists[1], second)
  const between = events
    .slice(2)
    .join(' ')
    .split(/(?:turn ?)+/)
  t.ok(
    between.every((slice) => slice.trim().split(' ').length === 1),
    'never two slices without a turn, however many lists are made',
  )
  t.equal(events.filter((event) => event === 'a').length, 4)
  events.length = 100
})
