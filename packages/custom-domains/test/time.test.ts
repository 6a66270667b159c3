import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import t from 'tap'
import { growingPauses } from '../src/time.ts'

t.test('pauses double up to the longest, and are as long as a response asks for', async (t) => {
  const slept: number[] = []
  t.teardown(syncBuiltinESMExports)
  t.intercept(timers, 'setTimeout', { value: async (ms: number) => void slept.push(ms) })
  syncBuiltinESMExports()
  const pause = growingPauses(250, 1_500, new AbortController().signal)
  for (const atLeast of [0, 0, 2_000, 0, 100]) await pause(atLeast)
  t.strictSame(slept, [250, 500, 2_000, 1_500, 1_500])
})
