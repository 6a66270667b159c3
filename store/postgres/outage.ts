// Reports an outage once, again when its cause changes, and once when it ends.
import { StoreUnavailableError } from '../unavailable.ts'
import { RefusedError, reasonOf } from './faults.ts'

/** The messages for the operator. */
export type Report = (level: 'info' | 'warn', message: string) => void

/** @returns a function that returns its promise, and observes the outcome */
export function outageLog(report: Report): <T>(answer: Promise<T>) => Promise<T> {
  let said: string | undefined
  return async (answer) => {
    try {
      const value = await answer
      if (said !== undefined) report('info', 'PostgreSQL has recovered')
      said = undefined
      return value
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      const reason = error.cause === undefined ? 'no response in time' : reasonOf(error.cause)
      if (said === undefined || (error.cause instanceof RefusedError && said !== reason)) {
        said = reason
        report('warn', `PostgreSQL is unreachable: ${reason}; responding with 503 until it recovers`)
      }
      throw error
    }
  }
}
