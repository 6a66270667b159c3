// Exponential backoff after failures.

const MINUTE_MS = 60_000
const DAY = 24 * 60

/** Minutes to wait after the first failure, the second and so on; after that, a day. */
const waits = [1, 5, 15, 60, 3 * 60, 6 * 60, 12 * 60]

const LONGEST_SPREAD_MS = 60 * MINUTE_MS

export interface Failures {
  /** Consecutive failures, from 1. */
  attempts: number
  now: Date
  /** The minimum wait that the authority asks for. */
  retryAfterMs: number
  /** In [0, 1): the jitter, 10 % either way. */
  random: number
}

export function nextTry({ attempts, now, retryAfterMs, random }: Failures): Date {
  const wait = (waits[attempts - 1] ?? DAY) * MINUTE_MS * (0.9 + 0.2 * random)
  // Many domains may wait for the same limit to end.
  const limited = retryAfterMs + Math.min(retryAfterMs, LONGEST_SPREAD_MS) * random
  return new Date(now.getTime() + Math.max(wait, limited))
}
