// The time, and being called at a time: tests have a clock of their own.

export interface Clock {
  now(): Date
  /** Calls back once, unless the function that is returned is called before. */
  after(ms: number, callback: () => void): () => void
}

/** What waits for it does not keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}
