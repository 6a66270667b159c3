// The errors of requests that are refused here, and why a response is one.
import type { FastifyReply } from 'fastify'

/** The status and the usual message of each code. */
export const edgeErrors = {
  invalid_request: { status: 400, message: 'The request is malformed.' },
  method_not_allowed: {
    status: 405,
    message: 'The path does not support this method; Allow lists those that it supports.',
  },
  not_acceptable: { status: 406, message: 'No response has a media type that Accept allows.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  precondition_failed: {
    status: 412,
    message:
      'The resource has no strong ETag and no modification date: send no If-Match other than "*", no If-Unmodified-Since, and no If-None-Match of "*".',
  },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  uri_too_long: { status: 414, message: 'The URL is too long.' },
  expectation_failed: { status: 417, message: 'Only Expect: 100-continue is supported.' },
  rate_limited: { status: 429, message: 'Too many requests. Try again later.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  not_implemented: { status: 501, message: 'The server does not know this method.' },
  unavailable: { status: 503, message: 'The service is not available at the moment. Try again later.' },
} as const

export type EdgeCode = keyof typeof edgeErrors

/** Goes to the error handler of the application; Fastify's own responds with its status and message. */
export class EdgeError extends Error {
  readonly code: EdgeCode
  readonly statusCode: number

  constructor(code: EdgeCode, message: string = edgeErrors[code].message) {
    super(message)
    this.code = code
    this.statusCode = edgeErrors[code].status
  }
}

/** The body of a response that no error handler can write, as JSON. */
export type ErrorBody = (error: EdgeError) => object

export const defaultErrorBody: ErrorBody = ({ code, message, statusCode }) => ({ code, message, status: statusCode })

/** For a log: the code of an error, and the reason if the code does not tell it. */
interface Failure {
  code: string
  reason?: string | undefined
}

const failures = new WeakMap<FastifyReply, Failure>()

/** Why the response is an error, as shedding and the error handler of the application note it. */
export const failureOf = (reply: FastifyReply): Failure | undefined => failures.get(reply)

export function noteFailure(reply: FastifyReply, failure: Failure): void {
  failures.set(reply, failure)
}
