import t from 'tap'
import { nextTry } from '../../domains/time.ts'

const now = new Date('2026-01-01T00:00:00.000Z')
const minutes = (attempts: number, { retryAfterMs = 0, random = 0.5 } = {}) =>
  (nextTry({ attempts, now, retryAfterMs, random }).getTime() - now.getTime()) / 60_000

t.test('failures in a row are followed by longer and longer waits, up to a day', async (t) => {
  const waits = Array.from({ length: 10 }, (_, index) => minutes(index + 1))
  t.strictSame(waits, [1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440])
})

t.test('tries are spread by 10 % around their time', async (t) => {
  t.equal(minutes(4, { random: 0 }), 54)
  t.equal(minutes(4, { random: 1 - Number.EPSILON }), 66)
})

t.test('an authority that asks for a longer wait gets it, a shorter one changes nothing', async (t) => {
  t.equal(minutes(1, { retryAfterMs: 3_600_000, random: 0 }), 60)
  t.equal(minutes(5, { retryAfterMs: 3_600_000 }), 180)
})

t.test('tries that wait for the same limit are spread over as long again, an hour at most', async (t) => {
  t.equal(minutes(1, { retryAfterMs: 1_800_000, random: 0.5 }), 45)
  t.equal(minutes(1, { retryAfterMs: 36_000_000, random: 0.5 }), 630)
})
