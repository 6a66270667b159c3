// Limits concurrent callers. The others wait in a bounded queue, until their deadline.
import { StoreUnavailableError } from '../unavailable.ts'

export interface Limiter {
  /**
   * Resolves when the caller gets a slot, with the function that frees it.
   * @throws StoreUnavailableError when the queue is full, or the deadline (as performance.now() counts) comes first
   */
  enter(deadline: number): Promise<() => void>
  waiting(): number
}

export function limiter(size: number, line: number): Limiter {
  const waiting = new Set<() => void>()
  let free = size

  function leave() {
    const [next] = waiting
    if (next) next()
    else free++
  }

  return {
    waiting: () => waiting.size,
    enter(deadline) {
      if (free > 0) {
        free--
        return Promise.resolve(leave)
      }
      if (waiting.size >= line) return Promise.reject(queueIsFull())
      return new Promise((resolve, reject) => {
        const proceed = () => {
          end()
          resolve(leave)
        }
        const timer = setTimeout(() => {
          end()
          reject(queueIsFull())
        }, deadline - performance.now())
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
