// Lets large responses write in turn, one batch in each iteration of the event loop. libuv accepts one connection in an
// iteration, so an iteration that served every response would keep new connections waiting for seconds.

interface Beginner {
  write: () => void
  since: number
  /** Counted from 1, when it arrived. */
  position: number
}

/** One serves all large responses of a process: they share its event loop. */
export interface WriteScheduler {
  /** Calls back when a response may write its first batch. */
  scheduleFirst(write: () => void): void
  /** Calls back when a response that has begun may write its next batch. */
  scheduleNext(write: () => void): void
  /**
   * How long a response that arrived now would wait to begin, in milliseconds. The first in the queue shows how long each
   * takes: it has waited for those before it.
   * @param now as performance.now() counts
   */
  delayOfFirst(now: number): number
}

export function createWriteScheduler(): WriteScheduler {
  /** Responses that have begun and can write again. They go first: then others wait only once, and in order. */
  const begun: (() => void)[] = []
  const beginners: Beginner[] = []
  let isScheduled = false

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    setImmediate(writeNext)
  }

  function writeNext() {
    isScheduled = false
    const write = begun.shift() ?? beginners.shift()?.write
    write?.()
    if (begun.length + beginners.length > 0) schedule()
  }

  return {
    scheduleFirst(write) {
      beginners.push({ write, since: performance.now(), position: beginners.length + 1 })
      schedule()
    },
    scheduleNext(write) {
      begun.push(write)
      schedule()
    },
    delayOfFirst(now) {
      const [first] = beginners
      return first ? ((now - first.since) / first.position) * beginners.length : 0
    },
  }
}
