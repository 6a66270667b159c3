// Detects wall-clock jumps. Timers run on monotonic time, so nothing else would notice one.
import type { Clock } from '../time.ts'

const CHECK_EVERY_MS = 5_000
/** A clock is adjusted by less than this all the time. */
const TOLERANCE_MS = 2_000
/** A clock that was set forward by mistake is often set back soon, so due attempts can wait. */
const SETTLE_MS = 60_000

export interface ClockWatch {
  /** The clock was set by this many milliseconds. */
  onStep(ms: number): void
  /** Different attempts may be due now. */
  wake(): void
}

/** @returns a function that ends the watch */
export function watchClock(clock: Clock, { onStep, wake }: ClockWatch): () => void {
  const offsetNow = () => clock.now().getTime() - clock.elapsed()
  let offset = offsetNow()
  let cancelCheck = clock.after(CHECK_EVERY_MS, check)
  let cancelWake = () => {}

  function check() {
    cancelCheck = clock.after(CHECK_EVERY_MS, check)
    const step = offsetNow() - offset
    offset += step
    if (Math.abs(step) <= TOLERANCE_MS) return
    onStep(step)
    cancelWake()
    if (step < 0) wake()
    else cancelWake = clock.after(SETTLE_MS, wake)
  }

  return () => {
    cancelCheck()
    cancelWake()
  }
}
