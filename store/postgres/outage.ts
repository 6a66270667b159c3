// Reports an outage once, again when its cause changes, and when it ends; and each statement that PostgreSQL rejects.
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
