// Pauses of node:timers/promises that a test sees and decides about.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import type { Test } from 'tap'

/** Replaces `setTimeout` until the test ends, also in modules that import it by its name. */
export function interceptPauses(t: Test, pause: (...given: Parameters<typeof timers.setTimeout>) => unknown): void {
  t.teardown(syncBuiltinESMExports)
  t.intercept(timers, 'setTimeout', { value: pause as typeof timers.setTimeout })
  syncBuiltinESMExports()
}
