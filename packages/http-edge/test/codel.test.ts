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
  fc.array(fc.record({ wait, after: fc.integer({ min: 0, max: 200 }) }), { maxLength: 60 })
const anyWait = fc.oneof(
  { weight: 1, arbitrary: fc.nat(50) },
  { weight: 9, arbitrary: fc.integer({ min: 51, max: 300 }) },
)

/** After each sample, whether a request that would wait as long is rejected. */
function rejections(given: readonly Sample[], limit = detectStandingQueue(LIMIT)): boolean[] {
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

t.test('no wait within the limit leads to a rejection', async () => {
  fc.assert(fc.property(samples(fc.nat(LIMIT)), (given) => !rejections(given).includes(true)))
})

t.test('after idleness, nothing is rejected before another interval is complete, whatever came before', async () => {
  fc.assert(
    fc.property(
      samples(anyWait),
      fc.nat(1e6),
      samples(fc.integer({ min: LIMIT + 1, max: 1e4 })),
      (before, idle, burst) => {
        const limit = detectStandingQueue(LIMIT)
        rejections(before, limit)
        limit.record(0, 1e9)
        let now = 1e9 + idle
        const begun = now
        return burst.every(({ wait, after }) => {
          now += after
          limit.record(wait, now)
          return !limit.rejects(wait) || now - begun > INTERVAL
        })
      },
    ),
  )
})

t.test('a queue in which each request waits too long is rejected until one waits briefly', async (t) => {
  const limit = detectStandingQueue(LIMIT)
  for (let now = 0; now <= INTERVAL; now += 10) limit.record(LIMIT + 1, now)
  t.equal(limit.rejects(LIMIT + 1), true)
  t.equal(limit.rejects(LIMIT), false)
  limit.record(0, INTERVAL + 1)
  t.equal(limit.rejects(LIMIT + 1), false)
})
