// The errors of a call: an error response of the API, and a response that did not come from the API.
import type { components } from '../../spec/openapi.d.ts'
import { schemas } from './operations.ts'
import { isJson, readers, readJson } from './read.ts'
import { type Received, retryAfterMs } from './retry.ts'
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
  /** How many attempts the call made. */
  readonly attempts: number
  /**
   * Whether an earlier attempt of this call may have succeeded: `order_already_cancelled` after an attempt whose response was
   * lost. The order is cancelled, by this call or by another.
   */
  readonly mayHaveSucceeded: boolean
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
      mayHaveSucceeded = false,
    }: Partial<ResponseInfo> & { retryAfterMs?: number | undefined; mayHaveSucceeded?: boolean } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.requestId = requestId
    this.attempts = attempts
    this.mayHaveSucceeded = mayHaveSucceeded
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

const read = readers(schemas)

export async function errorOf(response: Received): Promise<StoreOrdersError | UnexpectedResponseError> {
  try {
    const body = (await readJson(read, { $ref: 'Error' }, String(response.body))) as components['schemas']['Error']
    if (response.status < 400 || !isJson(response.headers.get('content-type') ?? '') || body.status !== response.status)
      return unexpected(response)
    const mayHaveSucceeded = response.mayHaveSucceeded && body.code === 'order_already_cancelled'
    return new StoreOrdersError(body, { ...infoOf(response), retryAfterMs: retryAfterMs(response), mayHaveSucceeded })
  } catch {
    return unexpected(response)
  }
}

export function unexpected({ status, headers, body }: Received, cause?: unknown) {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const contentType = headers.get('content-type')
  return new UnexpectedResponseError({ status, contentType, body: text }, cause === undefined ? {} : { cause })
}

export function infoOf({ status, headers, attempts }: Received): ResponseInfo {
  const [, remaining, resetSeconds] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
  const rateLimit = remaining ? { remaining: Number(remaining), resetSeconds: Number(resetSeconds) } : undefined
  return {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit,
    attempts,
    headers,
  }
}
