// The errors of a call: an error response of the API, and a response that did not come from the API.
import type { components } from '../../spec/openapi.d.ts'
import { schemas } from './operations.ts'
import type { ResponseHead } from './platform.ts'
import { isJson, readerOf, readJson } from './read.ts'
import { attemptsOf, retryAfterMs } from './retry.ts'
import type { RateLimit, ResponseInfo } from './types.ts'

/** Every code in this version's OpenAPI document. */
export type KnownErrorCode = components['schemas']['ErrorCode']

/** A later version of the API may send codes that are not known here: distinguish them by status. */
export type ErrorCode = KnownErrorCode | (string & {})

/** The API rejected the request. Branch on `code`; `message` is for humans and may change. */
export class StoreOrdersError extends Error {
  override readonly name = 'StoreOrdersError'
  readonly code: ErrorCode
  readonly status: number
  /** The `X-Request-Id` of the response, by which the operator of the API finds the request in the log. */
  readonly requestId: string | undefined
  /** How many attempts the call made: above 1, `order_already_cancelled` may mean that an earlier one succeeded. */
  readonly attempts: number
  /** The quota of the key, if the server has set one. */
  readonly rateLimit: RateLimit | undefined
  /** How long to wait before another try, if `Retry-After` says so. Zero when that moment has passed. */
  readonly retryAfterMs: number | undefined

  constructor(
    { code, message, status }: { code: ErrorCode; message: string; status: number },
    {
      requestId,
      retryAfterMs,
      rateLimit,
      attempts = 1,
    }: Partial<ResponseInfo> & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
    this.attempts = attempts
    this.rateLimit = rateLimit
    this.retryAfterMs = retryAfterMs
  }
}

/** The response did not come from the API: a proxy's page, an unknown status, or a body of another shape. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError'
  /** The HTTP status; 0 for a redirect in a browser, which does not reveal it. */
  readonly status: number
  /** The response body as text. */
  readonly body: unknown

  constructor(
    { status, contentType, body }: { status: number; contentType?: string | null | undefined; body?: unknown },
    options?: { cause?: unknown },
  ) {
    super(
      `The response is not from the Store Orders API: status ${status}, ${contentType ?? 'no content type'}`,
      options,
    )
    this.status = status
    this.body = body
  }
}

const read = readerOf(schemas)

export function errorOf(response: ResponseHead, text: string): StoreOrdersError | UnexpectedResponseError {
  try {
    const body = readJson(read, { $ref: 'Error' }, text) as components['schemas']['Error']
    if (response.status < 400 || !isJson(response.headers.get('content-type') ?? '') || body.status !== response.status)
      return unexpected(response, text)
    return new StoreOrdersError(body, { ...infoOf(response), retryAfterMs: retryAfterMs(response) })
  } catch {
    return unexpected(response, text)
  }
}

export function unexpected({ status, headers }: ResponseHead, body: unknown, cause?: unknown) {
  const contentType = headers.get('content-type')
  return new UnexpectedResponseError({ status, contentType, body }, cause === undefined ? {} : { cause })
}

export function infoOf(response: ResponseHead): ResponseInfo {
  const { status, headers } = response
  const [, remaining, resetSeconds] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  const rateLimit = remaining ? { remaining: Number(remaining), resetSeconds: Number(resetSeconds) } : undefined
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit,
    attempts: attemptsOf(response),
    headers,
  }
}
