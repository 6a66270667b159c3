// The time limit of a request that waits for PostgreSQL.
import { StoreUnavailableError } from '../unavailable.ts'

export const RETRY_AFTER_S = 2

/** Settles as the promise does, or rejects at the deadline, with the known reason if there is one. */
export async function withDeadline<T>(deadline: number, promise: Promise<T>, reason?: () => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const expire = () =>
      reject(reason?.() || new StoreUnavailableError('PostgreSQL does not respond in time', RETRY_AFTER_S))
    timer = setTimeout(expire, Math.max(0, deadline - performance.now()))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
