// What is known of a domain that the documentation is published under. Times are ISO 8601, in UTC.

/** What a user typed, once it is a name: `host` is lower-case ASCII without a trailing dot. */
export interface DomainName {
  host: string
  kind: 'subdomain' | 'apex'
  /** The registrable domain: `example.com` of `docs.example.com`. */
  zone: string
  /** What stands before the zone, `docs`, or `@` for the apex itself. */
  label: string
}

export type DomainState = 'added' | 'verifying' | 'verified' | 'issuing' | 'live' | 'failed'

/** A record as a DNS provider's page shows it. */
export interface DnsRecord {
  type: string
  value: string
}

/** Why a domain is not, or may not stay, live. What to say of it stands in messages.ts. */
export type Problem =
  /** Nothing at all is there. */
  | { code: 'record_missing' }
  /** Records that cannot stand beside the one to make, or that send some visitors elsewhere. */
  | { code: 'conflicting_record'; found: DnsRecord[] }
  /** `isZoneAppended`: the provider put the zone behind the value, `target.example.com` for `target`. */
  | { code: 'cname_mismatch'; found: string; expected: string; isZoneAppended: boolean }
  /** The platform's own name has no address: its operator's fault. */
  | { code: 'target_unresolvable'; target: string }
  | { code: 'dns_unreachable'; name: string }
  /** RFC 8659: `level` is the name with the set that blocks, `found` its records, `expected` the one to add, empty where none would help. */
  | { code: 'caa_blocks'; level: string; found: string[]; expected: string }
  | { code: 'caa_unreachable'; level: string }
  /** `detail` is the authority's own text. */
  | { code: 'rate_limited'; detail: string }
  | { code: 'ca_unavailable'; detail: string }
  | { code: 'ca_cannot_connect'; detail: string }
  | { code: 'ca_refused'; detail: string }
  /** The last certificate ended before another came. */
  | { code: 'certificate_expired'; notAfter: string }
  /** The state or the certificate cannot be written: a full disk, missing permission. */
  | { code: 'storage_failed'; detail: string }

export type ProblemCode = Problem['code']

export type RedirectStatus = 301 | 302 | 307 | 308

/** From a certificate itself. */
export interface CertificateDates {
  issuer: string
  notBefore: string
  notAfter: string
}

/** What is kept of a domain, as JSON. */
export interface Domain {
  name: DomainName
  state: DomainState
  addedAt: string
  /** When the DNS record was last found right. */
  verifiedAt?: string
  /** Since when the domain, with its record right, has been waiting for a certificate. */
  waitingSince?: string
  liveSince?: string
  problem?: Problem
  /** Failures in a row since `failingSince`; nothing is tried by itself before `notBefore`. */
  attempts: number
  failingSince?: string
  notBefore?: string
  /** When the rate limit ends that stood in the way of the last order. */
  limitedUntil?: string
  /** When a user last asked to verify. */
  askedAt?: string
  /** When certificates were ordered in the last hour. */
  orderedAt: string[]
  /** When the certificate was issued. */
  issuedAt?: string
  certificate?: CertificateDates
}
