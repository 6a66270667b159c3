// Rate limits by the generic cell rate algorithm (GCRA).
//
// A limit of 600 requests in 60 seconds allows a burst of 600, and one more every 100 ms. Each client needs a single
// number, its cell: the time at which its quota will be full again. A request moves the cell ahead by one interval of
// 100 ms, and is allowed unless that puts it more than 60 seconds into the future. A missing cell, or one in the past,
// is a full quota. Unlike counters for fixed windows, it allows no double burst at a window's boundary.

export interface Rate {
  max: number
  seconds: number
}

export interface Decision {
  isAllowed: boolean
  /** How many more requests are allowed now. */
  remaining: number
  /** Seconds until the next request is allowed, if this one is not. */
  retryAfter: number
  /** Seconds until the quota is full again. */
  reset: number
}

/** How many clients are kept; the least recently seen is dropped first. */
const MAX_CELLS = 10_000
/** Tolerance for rounded sums of intervals, as a fraction of an interval. */
const ROUNDING = 1e-3

/** @returns a function that counts a request of a client; a rejected request does not count */
export function rateLimiter({ max, seconds }: Rate, now = () => performance.now()): (client: string) => Decision {
  const cells = new Map<string, number>()
  const window = seconds * 1000
  const interval = window / max

  return (client) => {
    const time = now()
    const cell = Math.max(cells.get(client) ?? 0, time)
    const left = (time + window - cell) / interval + ROUNDING
    const isAllowed = left >= 1
    const next = isAllowed ? cell + interval : cell
    cells.delete(client) // moves it to the end
    cells.set(client, next)
    if (cells.size > MAX_CELLS) cells.delete(cells.keys().next().value as string)
    return {
      isAllowed,
      remaining: isAllowed ? Math.floor(left - 1) : 0,
      retryAfter: isAllowed ? 0 : Math.ceil(((1 - left) * interval) / 1000),
      reset: Math.ceil((next - time) / 1000),
    }
  }
}
