// The time and timers, behind an interface that tests replace.

export interface Clock {
  now(): Date
  /** Milliseconds that have passed since any one moment, however the time is set. */
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
