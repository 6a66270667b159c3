// Time: the clock that tests replace, timeouts, growing pauses, and the wait that a response asks for.
import { setTimeout as sleep } from 'node:timers/promises'

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

/**
 * Pauses that double, up to the longest. They reject when the signal aborts, and do not keep the process alive.
 * @returns a function that pauses for at least so many milliseconds
 */
export function growingPauses(
  firstMs: number,
  longestMs: number,
  signal: AbortSignal,
): (atLeastMs?: number) => Promise<void> {
  let next = firstMs
  return async (atLeastMs = 0) => {
    await sleep(Math.max(next, atLeastMs), undefined, { signal, ref: false })
    next = Math.min(2 * next, longestMs)
  }
}

/**
 * Parses Retry-After (RFC 9110, section 10.2.3): seconds or a date.
 * @returns milliseconds, at most `longest`; 0 if the value is empty or invalid
 */
export function retryAfterMs(value: string, longest: number): number {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Math.min(Math.max(ms, 0), longest) || 0
}
