import t from 'tap'
import { fc } from 'test-kit/properties'
import { detectStandingQueue } from '../src/codel.ts'

const LIMIT = 100
const INTERVAL = 500

interface Sample {
  wait: number
  /** Since the one before, in milliseconds. */
  after: number
}
const samples = (wait: fc.Arbitrary<number>) =>
  fc.array(fc.record({ wait, after: fc.oneof({ weight: 9, arbitrary: fc.nat(200) }, fc.nat(1e6)) }), { maxLength: 60 })
const anyWait = fc.oneof(fc.nat(50), { weight: 9, arbitrary: fc.integer({ min: 51, max: 300 }) })

/** After each sample, whether a request that would wait as long is rejected. */
function rejections(given: readonly Sample[]): boolean[] {
  const limit = detectStandingQueue(LIMIT)
  let now = 1e6
  return given.map(({ wait, after }) => {
    now += after
    limit.record(wait, now)
    return limit.rejects(wait)
  })
}

t.test('a request is rejected if it would wait too long, and none has waited briefly for an interval', async () => {
  fc.assert(
    fc.property(samples(anyWait), (given) => {
      const times = given.map((_, at) => given.slice(0, at + 1).reduce((sum, { after }) => sum + after, 0))
      const expected = given.map(({ wait }, at) => {
        const since = given.slice(0, at + 1).findLastIndex((each) => each.wait <= LIMIT / 2) + 1
        return wait > LIMIT && (times[at] as number) - (times[since] as number) >= INTERVAL
      })
      return JSON.stringify(rejections(given)) === JSON.stringify(expected)
    }),
  )
})

t.test('a queue in which each request waits too long is rejected until one waits briefly', async (t) => {
  const limit = detectStandingQueue(LIMIT)
  for (let now = 0; now <= INTERVAL; now += 10) limit.record(LIMIT + 1, now)
  t.equal(limit.rejects(LIMIT + 1), true)
  t.equal(limit.rejects(LIMIT), false)
  limit.record(LIMIT / 2, INTERVAL + 1)
  t.equal(limit.rejects(LIMIT + 1), false)
})
