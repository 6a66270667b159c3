// Rate limits by the generic cell rate algorithm (GCRA).
//
// A limit of 600 requests in 60 seconds allows a burst of 600, and one more every 100 ms. The only state of a
// client is a time, its cell: when its quota will be full again. A request moves the cell ahead by one interval
// of 100 ms, and is allowed unless that puts it more than 60 seconds into the future. A cell in the past is a full
// quota, as is none. The algorithm never allows two bursts in a row, as a counter for fixed windows does at the turn of a
// window; over one window it allows at most about twice the quota.

/** At most `max` requests in so many seconds, which may also come all at once. */
export interface Rate {
  max: number
  seconds: number
}

interface Decision {
  isAllowed: boolean
  /** How many more requests are allowed now. */
  remaining: number
  /** Seconds until one more request is allowed. */
  nextIn: number
}

/** How many clients are kept; the least recently seen is dropped first. */
const MAX_CELLS = 10_000
/** Parts of an interval: sums of intervals are rounded. */
const ROUNDING = 1e-3

/**
 * @param now milliseconds, as performance.now() counts
 * @returns a function that counts a request of a client; a rejected request does not count
 */
export function rateLimiter({ max, seconds }: Rate, now = () => performance.now()): (client: string) => Decision {
  const cells = new Map<string, number>()
  const window = seconds * 1000
  const interval = window / max

  return (client) => {
    const time = now()
    const cell = Math.max(cells.get(client) ?? 0, time)
    const left = (time + window - cell) / interval + ROUNDING
    const isAllowed = left >= 1
    cells.delete(client) // to the end of the order
    cells.set(client, isAllowed ? cell + interval : cell)
    if (cells.size > MAX_CELLS) cells.delete(cells.keys().next().value as string)
    return {
      isAllowed,
      remaining: isAllowed ? Math.floor(left - 1) : 0,
      nextIn: Math.ceil(((1 - (left % 1)) * interval) / 1000),
    }
  }
}
