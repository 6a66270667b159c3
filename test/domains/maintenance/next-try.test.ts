import t from 'tap'
import { nextTry } from '../../../domains/maintenance/schedule.ts'

const now = new Date('2026-01-01T00:00:00.000Z')
const minutes = (attempts: number, { retryAfterMs = 0, random = 0.5 } = {}) =>
  (nextTry({ attempts, now, retryAfterMs, random }).getTime() - now.getTime()) / 60_000

t.test('waits grow with consecutive failures, up to a day', async (t) => {
  const waits = Array.from({ length: 10 }, (_, index) => minutes(index + 1))
  t.strictSame(waits, [1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440])
})

t.test('retries are spread by 10% around their time', async (t) => {
  t.equal(minutes(4, { random: 0 }), 54)
  t.equal(minutes(4, { random: 1 - Number.EPSILON }), 66)
})

t.test('a longer wait of the authority is observed, a shorter one has no effect', async (t) => {
  t.equal(minutes(1, { retryAfterMs: 3_600_000, random: 0 }), 60)
  t.equal(minutes(5, { retryAfterMs: 3_600_000 }), 180)
})

t.test('retries after the same limit are spread over the length of the wait, at most an hour', async (t) => {
  t.equal(minutes(1, { retryAfterMs: 1_800_000, random: 0.5 }), 45)
  t.equal(minutes(1, { retryAfterMs: 36_000_000, random: 0.5 }), 630)
})
