// A signal that aborts in time.

/** Aborts with the signal, or after so many milliseconds. */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  const limit = AbortSignal.timeout(ms)
  limit.addEventListener('abort', () => {}) // a timeout referenced only by `any` may be collected (nodejs/node#57736)
  return AbortSignal.any([signal, limit])
}
