// A rejected operation: a code, the HTTP status that fits it, and a message in English.
import type { ProofRecord } from './problems/required-record.ts'

const rejections = {
  invalid_domain: [400, 'This name cannot be used.'],
  not_allowed: [403, 'This domain is not allowed.'],
  domain_not_found: [404, 'This domain has not been added.'],
  domain_exists: [409, 'This domain has already been added.'],
  too_many_domains: [409, 'The limit on the number of domains has been reached.'],
  redirect_loop: [409, 'That domain redirects to this one.'],
  rate_limited: [429, 'Try again later.'],
  not_revoked: [502, 'The certificate authority has not revoked the certificate.'],
  not_saved: [503, 'The change could not be saved, so it was not applied.'],
} as const

export type RejectionCode = keyof typeof rejections

export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: RejectionCode
  readonly status: number
  /** What `allow` returned, if the code is `not_allowed`. */
  readonly reason: string | undefined
  /** After how many seconds to try again, if the code is `rate_limited`. */
  readonly retryAfter: number | undefined
  /** The record with which adding the domain again succeeds, if the code is `domain_exists` and there is one. */
  readonly proof: ProofRecord | undefined

  constructor(
    code: RejectionCode,
    message: string = rejections[code][1],
    { reason, retryAfter, proof }: { reason?: string; retryAfter?: number; proof?: ProofRecord } = {},
  ) {
    super(message)
    this.code = code
    this.status = rejections[code][0]
    this.reason = reason
    this.retryAfter = retryAfter
    this.proof = proof
  }
}
