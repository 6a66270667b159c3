// A clock whose time passes from timer to timer.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../time.ts'

export interface VirtualClock extends Pick<Clock, 'now' | 'after'> {
  /** Fires the timers until the time, each once what the one before has begun is done or waits for a timer. */
  passUntil(time: Date): Promise<void>
}

export function virtualClock(begin: Date): VirtualClock {
  const timers = new Map<object, { at: number; callback: () => void }>()
  let now = begin.getTime()

  function next(): { key: object; at: number; callback: () => void } | undefined {
    const [first] = Array.from(timers, ([key, timer]) => ({ key, ...timer })).sort((a, b) => a.at - b.at)
    return first
  }

  return {
    now: () => new Date(now),
    after(ms, callback) {
      const key = {}
      timers.set(key, { at: now + ms, callback })
      return () => timers.delete(key)
    },
    async passUntil(time) {
      for (;;) {
        await setImmediate()
        const timer = next()
        if (!timer || timer.at > time.getTime()) break
        timers.delete(timer.key)
        now = Math.max(now, timer.at)
        timer.callback()
      }
      now = time.getTime()
    },
  }
}
