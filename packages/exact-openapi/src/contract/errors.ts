// Why a request is rejected.
import { MalformedError } from './json.ts'

/** What is wrong in one place. */
export interface Finding {
  /** `path orderId`, or `body items/0/id`. */
  place: string
  /** The keyword of the schema that is broken; `syntax` for what cannot be read. */
  rule: string
  /** What is wrong, in words after the place: `is required`. */
  message: string
  /** How many errors this stands for: only the first hundred are listed. */
  more?: number
}

export const textOf = ({ place, message }: Finding) => `${place} ${message}`

export interface RequestProblem {
  code: keyof typeof statuses
  /** All of it, in a sentence. */
  message: string
  /** What is wrong in each place, of an invalid request. */
  errors: readonly Finding[]
}

export type ErrorOf = (problem: RequestProblem) => Error

const statuses = { invalid_request: 400, unauthorized: 401, unsupported_media_type: 415 } as const

/** Fastify responds with its status and message. */
export const requestError: ErrorOf = ({ message, ...others }) =>
  Object.assign(new Error(message), others, { statusCode: statuses[others.code] })

class InvalidError extends MalformedError {
  readonly errors: readonly Finding[]

  constructor(errors: readonly Finding[]) {
    super(`${sentence(errors)}.`)
    this.errors = errors
  }
}

/** @throws with all of them */
export function requireNone(errors: readonly Finding[]): void {
  if (errors.length > 0) throw new InvalidError(errors)
}

/** The first errors: a body may have thousands. */
function sentence(errors: readonly Finding[]): string {
  const shown = errors.slice(0, 10).map(textOf).join('; ')
  const others = errors.slice(10).reduce((sum, { more = 1 }) => sum + more, 0)
  return others > 0 ? `${shown}; and ${others} more` : shown
}

/** @param place what was read */
export function rejectionOf(error: unknown, place: string, errorOf: ErrorOf): Error {
  if (!(error instanceof MalformedError)) return error as Error
  const { message } = error
  const errors = error instanceof InvalidError ? error.errors : [{ place, rule: 'syntax', message }]
  return errorOf({ code: 'invalid_request', message, errors })
}

export const asError = (thrown: unknown) =>
  thrown instanceof Error ? thrown : new Error('a value that is not an Error was thrown', { cause: thrown })
