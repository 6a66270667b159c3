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
      if (said !== undefined) report('info', 'PostgreSQL is back')
      said = undefined
      return value
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      const reason = error.cause === undefined ? 'no answer in time' : reasonOf(error.cause)
      if (said === undefined || (error.cause instanceof RefusedError && said !== reason)) {
        said = reason
        report('warn', `PostgreSQL is away: ${reason}. Requests are answered with 503 until it is back`)
      }
      throw error
    }
  }
}
