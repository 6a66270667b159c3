// Reports an outage once, again when its cause changes, and when it ends; each statement that PostgreSQL rejects; and slow
// ones.
import { StoreUnavailableError } from '../unavailable.ts'
import { isTransient, PermanentError, reasonOf } from './faults.ts'

/** Writes a message to the log. */
export type LogFunction = (level: 'info' | 'warn', message: string) => void

/** @returns a function that passes a promise through and observes its outcome */
export function reportOutages(log: LogFunction): <T>(result: Promise<T>) => Promise<T> {
  let reported: string | undefined
  return async (result) => {
    try {
      const value = await result
      if (reported !== undefined) log('info', 'PostgreSQL has recovered')
      reported = undefined
      return value
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      const reason = error.cause === undefined ? '' : reasonOf(error.cause)
      const isOutage = error.cause instanceof PermanentError || isTransient(error.cause)
      if (!isOutage) log('warn', `PostgreSQL rejected a statement: ${reason}; responded with 503`)
      else if (reported === undefined || (error.cause instanceof PermanentError && reported !== reason)) {
        reported = reason
        const outage = reason ? `${error.message}: ${reason}` : error.message
        log('warn', `${outage}; responding with 503 until it recovers`)
      }
      throw error
    }
  }
}

const SLOW_MS = 1_000
const PAUSE_MS = 60_000

/** @returns a function to call with the duration of each statement. At most one is reported in a minute. */
export function reportSlow(
  log: LogFunction,
  now = performance.now.bind(performance),
): (name: string, ms: number) => void {
  let nextAt = 0
  return (name, ms) => {
    if (ms < SLOW_MS || now() < nextAt) return
    nextAt = now() + PAUSE_MS
    log('warn', `PostgreSQL is slow: the statement ${name} took ${(ms / 1000).toFixed(1)} s`)
  }
}
