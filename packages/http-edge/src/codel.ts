// Detects a standing queue by controlled delay (CoDel, RFC 8289), which Meta's folly library applies to requests
// (folly/executors/Codel.h).
//
// A burst makes some requests wait, and is gone by itself. A queue stands if nothing has passed it quickly for a whole
// interval: it no longer absorbs a burst, it only adds to every response time. Then requests are rejected, but only while
// the wait exceeds the limit: rejecting them keeps it between half of the limit and the limit, so that the server always
// has work, and the first short wait ends the rejections.

/** Waits of at most this share of the limit are short. */
const SHORT = 0.5
const INTERVAL_MS = 500

interface StandingQueue {
  /** Adds a measured wait, 0 if nothing waits. Both in milliseconds. */
  record(wait: number, now: number): void
  /** Whether requests that wait for too long are rejected at the moment. */
  isStanding(): boolean
  /** Whether to reject a request that would wait this long. */
  rejects(wait: number): boolean
}

/** @param limit milliseconds */
export function detectStandingQueue(limit: number): StandingQueue {
  /** The first of the long waits since the last short one. */
  let longSince: number | undefined
  let isStanding = false

  return {
    record(wait, now) {
      if (wait <= SHORT * limit) longSince = undefined
      else longSince ??= now
      isStanding = longSince !== undefined && now - longSince >= INTERVAL_MS
    },
    isStanding: () => isStanding,
    rejects: (wait) => isStanding && wait > limit,
  }
}
