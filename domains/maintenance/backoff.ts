// When to try again after failures.

const MINUTE_MS = 60_000
const DAY = 24 * 60

/** Minutes to wait after the first failure, the second and so on; then it is a day. */
const waits = [1, 5, 15, 60, 3 * 60, 6 * 60, 12 * 60]

export interface Failures {
  /** Failures in a row, from 1. */
  attempts: number
  now: Date
  /** What the authority asks to wait at least. */
  retryAfterMs: number
  /** In [0, 1): spreads the tries by 10 % around their time. */
  random: number
}

export function nextTry({ attempts, now, retryAfterMs, random }: Failures): Date {
  const wait = (waits[attempts - 1] ?? DAY) * MINUTE_MS * (0.9 + 0.2 * random)
  return new Date(now.getTime() + Math.max(wait, retryAfterMs))
}
