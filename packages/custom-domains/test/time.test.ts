import process from 'node:process'
import timers from 'node:timers/promises'
import t from 'tap'
import { interceptPauses } from 'test-kit/pauses'
import { growingPauses, retryAfterMs, systemClock } from '../src/time.ts'

t.test('pauses double up to the longest, and are as long as a response asks for', async (t) => {
  const slept: unknown[] = []
  interceptPauses(t, async (ms) => void slept.push(ms))
  const pause = growingPauses(250, 1_500, new AbortController().signal)
  for (const atLeast of [0, 0, 2_000, 0, 100]) await pause(atLeast)
  t.strictSame(slept, [250, 500, 2_000, 1_500, 1_500])
})

t.test('Retry-After is seconds or a date, within the longest wait', async (t) => {
  const dateIn = (ms: number) => new Date(Date.now() + ms).toUTCString()
  const waits = { 7: 7_000, 3600: 60_000, [dateIn(3_600_000)]: 60_000, [dateIn(-3_600_000)]: 0, soon: 0, '': 0 }
  for (const [value, expected] of Object.entries(waits)) t.equal(retryAfterMs(value, 60_000), expected, value)
  const soon = retryAfterMs(dateIn(30_000), 60_000)
  t.ok(soon > 0 && soon <= 30_000)
})

t.test('a timer does not keep the process alive, and may be canceled', async (t) => {
  const alive = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = alive()
  systemClock.after(1, () => t.fail('it was canceled'))()
  const fired = new Promise<void>((resolve) => systemClock.after(1, resolve))
  t.equal(alive(), before)
  await timers.setTimeout(1)
  await fired
})
