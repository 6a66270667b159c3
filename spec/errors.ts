// Every error code of both documents, with its HTTP status and its usual message.
import type { components as dashboard } from './dashboard.d.ts'
import type { components } from './openapi.d.ts'

export type ErrorCode = components['schemas']['ErrorCode'] | dashboard['schemas']['ErrorCode']
export type ErrorBody = components['schemas']['Error']

/** The compiler checks this table against the codes that the documents list. */
export const errors = {
  invalid_request: { status: 400, message: 'The request cannot be understood.' },
  unauthorized: { status: 401, message: 'Send an API key: Authorization: Bearer <API_KEY>.' },
  forbidden: { status: 403, message: 'The API key is read-only.' },
  order_not_found: { status: 404, message: 'No order has this identifier.' },
  order_already_cancelled: { status: 404, message: 'The order has already been cancelled.' },
  order_already_shipped: { status: 409, message: 'The order has already shipped and cannot be cancelled.' },
  pet_not_found: { status: 404, message: 'No order names a pet with this identifier.' },
  not_found: { status: 404, message: 'Nothing is served at this path.' },
  method_not_allowed: {
    status: 405,
    message: 'The path does not support this method; Allow lists those that it supports.',
  },
  not_acceptable: { status: 406, message: 'Answers are application/json only.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  precondition_failed: {
    status: 412,
    message:
      'The resource has no strong ETag and no modification date: send no If-Match other than "*" and no If-Unmodified-Since.',
  },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  uri_too_long: { status: 414, message: 'The address of the request is too long.' },
  expectation_failed: { status: 417, message: 'The only expectation met here is 100-continue.' },
  rate_limited: { status: 429, message: 'Too many requests. Try again later.' },
  headers_too_large: { status: 431, message: 'The headers of the request are too large.' },
  internal_error: {
    status: 500,
    message: 'The server failed. Quote the X-Request-Id of this answer when you report it.',
  },
  unavailable: { status: 503, message: 'The server is shutting down.' },

  // Codes of the private API only.
  invalid_domain: { status: 400, message: 'The documentation cannot be published under this name.' },
  plan_required: { status: 403, message: 'Custom domains require the Pro plan or above.' },
  not_deployed: {
    status: 409,
    message: 'The documentation does not answer at the platform domain yet: deploy the project first.',
  },
  domain_exists: { status: 409, message: 'This domain has been added already.' },
  too_many_domains: { status: 409, message: 'There are as many domains as allowed.' },
  not_saved: { status: 503, message: 'Nothing was changed, because it cannot be saved at present.' },
  domain_not_found: { status: 404, message: 'This domain has not been added.' },
  is_primary: { status: 409, message: 'The primary domain cannot redirect to itself.' },
  not_revoked: { status: 502, message: 'The certificate authority has not revoked the certificate.' },
  no_primary: { status: 409, message: 'There is no primary domain to redirect to.' },
} as const satisfies Record<ErrorCode, { status: number; message: string }>

/** A response with the status of `code` and its Error body. */
export function refusal<Code extends ErrorCode>(code: Code, message: string = errors[code].message) {
  const status: (typeof errors)[Code]['status'] = errors[code].status
  return { status, body: { code, message, status } }
}

/** For code that cannot return a response: when thrown, it becomes the Error of its code. */
export class ApiError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string = errors[code].message) {
    super(message)
    this.code = code
  }
}
