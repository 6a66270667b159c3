// What a call rejects with when its answer is not the one that was hoped for.
import type { components } from '../spec/openapi.d.ts'

type ErrorBody = components['schemas']['Error']

/** Every code of the document. A later version of the API may send others: tell those by their status. */
export type ErrorCode = components['schemas']['ErrorCode']

/** The API refused the request. Tell by `code`; `message` is for people and may change. */
export class StoreOrdersError extends Error {
  override readonly name = 'StoreOrdersError'
  readonly code: ErrorCode
  /** The HTTP status. */
  readonly status: number
  /** The `X-Request-Id` of the answer, by which the operator of the API finds the request in the log. */
  readonly requestId: string | undefined

  constructor({ code, message, status }: ErrorBody, requestId?: string) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
  }
}

/** The answer is not one of the API: a proxy's page, an unknown status, or something other than JSON. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'
  /** The HTTP status. */
  readonly status: number
  /** As a text, or as what it says where it is JSON. */
  readonly body: unknown

  constructor({ status, headers }: Response, body: unknown, options?: ErrorOptions) {
    super(`The answer is not one of the Store Orders API: status ${status}, ${headers.get('content-type')}`, options)
    this.status = status
    this.body = body
  }
}

export function errorOf(response: Response, body: unknown): StoreOrdersError | UnexpectedAnswerError {
  if (!isErrorBody(body)) return new UnexpectedAnswerError(response, body)
  return new StoreOrdersError(body, response.headers.get('x-request-id') ?? undefined)
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { code, message, status } = Object(body)
  return typeof code === 'string' && typeof message === 'string' && typeof status === 'number'
}
