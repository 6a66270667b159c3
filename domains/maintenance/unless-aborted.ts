// Waits that end with a signal, for work that has none.
import { once } from 'node:events'

/** Rejects as soon as the signal aborts: a DNS lookup takes its time to end, and changes nothing. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const waiting = new AbortController()
  try {
    return await Promise.race([work, abortOf(signal, waiting.signal)])
  } finally {
    waiting.abort()
  }
}

/** Rejects with the reason of the signal; `end` ends the wait. */
async function abortOf(signal: AbortSignal, end: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort', { signal: end })
  throw signal.reason
}
