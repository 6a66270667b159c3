// Why a request is rejected.

/** What is wrong in one place. */
export interface Finding {
  /** `path orderId`, or `body items/0/id`. */
  place: string
  /** The keyword of the schema that is broken; `syntax` for what cannot be read. */
  rule: string
  /** What is wrong, in words after the place: `is required`. */
  message: string
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

export const asError = (thrown: unknown) =>
  thrown instanceof Error ? thrown : new Error('a value that is not an Error was thrown', { cause: thrown })
