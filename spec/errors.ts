// Every error code of the document, with its HTTP status and its usual message.
import type { ErrorOf } from 'exact-openapi'
import { edgeErrors } from 'http-edge/fastify'
import type { components } from './openapi.d.ts'

export type ErrorCode = components['schemas']['ErrorCode']

/** The compiler checks this table against the codes that the documents list. */
export const errors = {
  ...edgeErrors,
  unauthorized: { status: 401, message: 'Send an API key: Authorization: Bearer <API_KEY>.' },
  forbidden: { status: 403, message: 'The API key is read-only.' },
  order_not_found: { status: 404, message: 'No order has this identifier.' },
  order_already_cancelled: { status: 404, message: 'The order has already been cancelled.' },
  order_already_shipped: { status: 409, message: 'The order has already shipped and cannot be cancelled.' },
  pet_not_found: { status: 404, message: 'No order refers to this pet.' },
  not_found: { status: 404, message: 'Nothing is served at this path.' },
  unsupported_media_type: { status: 415, message: 'The media type of the body is not supported.' },
  internal_error: {
    status: 500,
    message: 'Internal error. Include the X-Request-Id of this response when you report it.',
  },
} as const satisfies Record<ErrorCode, { status: number; message: string }>

/** A response with the status of `code` and its Error body. */
export const errorResponse = errorResponsesOf(errors)

/** Builds `errorResponse` for any error table. */
export function errorResponsesOf<Table extends Record<keyof Table, { status: number; message: string }>>(table: Table) {
  return <Code extends keyof Table>(code: Code, message: string = table[code].message) => {
    const status: Table[Code]['status'] = table[code].status
    return { status, body: { code, message, status } }
  }
}

interface Details {
  retryAfterSeconds?: number
  reason?: string | undefined
}

/** Code that cannot return a response throws it; the response is the Error of its code. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined
  /** For the log, where it may show more than the client may know. */
  readonly reason: string

  constructor(code: ErrorCode, message: string = errors[code].message, more: Details = {}) {
    super(message)
    this.code = code
    this.retryAfterSeconds = more.retryAfterSeconds
    this.reason = more.reason ?? message
  }
}

/** Hides the error of a store from clients, except when to retry. */
export const unavailable = (what: 'orders' | 'domains', error: Error & { retryAfterSeconds: number }) => {
  const message = `The ${what} are not available at the moment. Try again later.`
  const reason = [error.message, (error.cause as Error | undefined)?.message].filter(Boolean).join(': ')
  return new ApiError('unavailable', message, { retryAfterSeconds: error.retryAfterSeconds, reason })
}

/** After a second, another instance or the restarted one can respond. */
export const shuttingDown = (): Error =>
  new ApiError('unavailable', 'The server is shutting down.', { retryAfterSeconds: 1 })

export const requestError: ErrorOf = ({ code, message }) => new ApiError(code, message)
