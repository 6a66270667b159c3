// A rejected operation: a code, the HTTP status that fits it, and a message in English.
import type { Rejection } from './registry/types.ts'

const statuses = {
  invalid_domain: 400,
  not_allowed: 403,
  domain_not_found: 404,
  domain_exists: 409,
  too_many_domains: 409,
  is_primary: 409,
  no_primary: 409,
  redirect_loop: 409,
  rate_limited: 429,
  not_revoked: 502,
  not_saved: 503,
} as const

export type RejectionCode = keyof typeof statuses

type Rejected = Rejection<RejectionCode> & { reason?: string; retryAfterSeconds?: number }

export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: RejectionCode
  readonly status: number
  /** What `allow` returned, if the code is `not_allowed`. */
  readonly reason: string | undefined
  /** After how many seconds to try again, if the code is `rate_limited`. */
  readonly retryAfter: number | undefined

  constructor({ rejected, message = rejected, reason, retryAfterSeconds }: Rejected) {
    super(message)
    this.code = rejected
    this.status = statuses[rejected]
    this.reason = reason
    this.retryAfter = retryAfterSeconds
  }
}

/** @throws DomainError for an outcome that is a rejection */
export function unlessRejected<Outcome extends object | undefined>(
  outcome: Outcome,
): Exclude<Outcome, Rejection<RejectionCode>> {
  if (outcome && 'rejected' in outcome) throw new DomainError(outcome as Rejected)
  return outcome as Exclude<Outcome, Rejection<RejectionCode>>
}
