// Callers that wait for one of a limited number of connections, in a bounded queue, until their deadline.
import { StoreUnavailableError } from '../unavailable.ts'

export function connectionQueue(slots: number, queueLimit: number) {
  const waiting = new Set<() => void>()
  let free = slots

  function release() {
    const [next] = waiting
    if (next) next()
    else free++
  }

  return {
    waiting: () => waiting.size,
    /**
     * Resolves when the caller may take a connection, with the function that gives it back.
     * @throws StoreUnavailableError when the queue is full, or the deadline (as performance.now() counts) comes first
     */
    enter(deadline: number): Promise<() => void> {
      if (free > 0) {
        free--
        return Promise.resolve(release)
      }
      if (waiting.size >= queueLimit) return Promise.reject(connectionsBusyError())
      return new Promise((resolve, reject) => {
        const proceed = () => {
          end()
          resolve(release)
        }
        const expire = () => {
          end()
          reject(connectionsBusyError())
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

export const connectionsBusyError = () => new StoreUnavailableError('every connection to PostgreSQL is busy', 1)
