// Limits concurrent callers. Others wait in a bounded queue until their deadline.
import { StoreUnavailableError } from '../unavailable.ts'

export interface Limiter {
  /**
   * Resolves when the caller gets a slot, with the function that frees it.
   * @throws StoreUnavailableError when the queue is full, or the deadline (as performance.now() counts) comes first
   */
  enter(deadline: number): Promise<() => void>
  waiting(): number
}

export function limiter(slots: number, queueLimit: number): Limiter {
  const waiting = new Set<() => void>()
  let free = slots

  function release() {
    const [next] = waiting
    if (next) next()
    else free++
  }

  return {
    waiting: () => waiting.size,
    enter(deadline) {
      if (free > 0) {
        free--
        return Promise.resolve(release)
      }
      if (waiting.size >= queueLimit) return Promise.reject(queueIsFull())
      return new Promise((resolve, reject) => {
        const proceed = () => {
          end()
          resolve(release)
        }
        const expire = () => {
          end()
          reject(queueIsFull())
        }
        const timer = setTimeout(expire, Math.max(0, deadline - performance.now())) // Node.js warns of negative times
        const end = () => {
          clearTimeout(timer)
          waiting.delete(proceed)
        }
        waiting.add(proceed)
      })
    },
  }
}

export const queueIsFull = () => new StoreUnavailableError('every connection to PostgreSQL is busy', 1)
