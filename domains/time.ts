// Time: the clock that tests replace, timeouts, the backoff after failures, and the wait that a response asks for.
import { setTimeout as sleep } from 'node:timers/promises'

const MINUTE_MS = 60_000
const DAY = 24 * 60

export interface Clock {
  now(): Date
  /** Monotonic milliseconds, which setting the clock does not change. */
  elapsed(): number
  /** Calls back once. @returns a function that cancels the timer */
  after(ms: number, callback: () => void): () => void
}

/** Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Aborts with the signal, or after so many milliseconds. */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  const limit = AbortSignal.timeout(ms)
  limit.addEventListener('abort', () => {}) // a timeout referenced only by `any` may be collected (nodejs/node#57736)
  return AbortSignal.any([signal, limit])
}

/** Pauses that double, up to the longest. They reject when the signal aborts, and do not keep the process alive. */
export function growingPauses(firstMs: number, longestMs: number, signal: AbortSignal): () => Promise<void> {
  let next = firstMs
  return async () => {
    await sleep(next, undefined, { signal, ref: false })
    next = Math.min(2 * next, longestMs)
  }
}

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

/**
 * Parses Retry-After (RFC 9110, section 10.2.3): seconds or a date.
 * @returns milliseconds, at most `longest`; 0 if the value is empty or invalid
 */
export function retryAfterMs(value: string, longest: number): number {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Math.min(Math.max(ms, 0), longest) || 0
}
