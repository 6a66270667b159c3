// A domain that is served. Times are ISO 8601, in UTC.
import type { DnsRecord, DomainName } from '../domain-name.ts'
import type { Problem } from '../problems/index.ts'

export type { DnsRecord, DomainName } from '../domain-name.ts'
export type { Problem, ProblemCode } from '../problems/index.ts'

export type RedirectStatus = 301 | 302 | 307 | 308

export interface Redirect {
  /** The host that it leads to, which does not redirect itself. */
  to: string
  status: RedirectStatus
}

/** Former records that are still found: at a server of the zone, or in a resolver's cache. */
export type Outdated = { found: DnsRecord[] } & ({ server: string } | { until: string })

/** What the certificate itself states. */
export interface CertificateDates {
  issuer: string
  notBefore: string
  notAfter: string
}

export interface IssuedCertificate extends CertificateDates {
  /** The directory URL of the authority that it was ordered from; undefined if another program stored it. */
  authority?: string
  /**
   * The window that the authority suggests for renewal (RFC 9773), a page on why, a time within it, and when to query
   * again.
   */
  renewal?: { start: string; end: string; explanationUrl?: string; at: string; checkAt?: string }
}

/** A backoff that an authority asked for: no order is placed in its scope until it ends. Stored as JSON. */
export interface Backoff {
  from: string
  until: string
  /** The authority's reason. */
  problem: Problem
}

/** An order that an authority has confirmed. Kept as long as a limit may count it, even if the domain is removed. */
export interface PlacedOrder {
  /** The directory URL. */
  authority: string
  host: string
  at: string
  isRenewal?: true
  /** It replaces a certificate by ARI (RFC 9773, section 5): the authority counts it towards no limit. */
  isExempt?: true
}

/** What kept an authority from issuing, where another one was tried. */
export interface AuthorityFailure {
  /** The directory URL. */
  authority: string
  problem: Problem
}

/** Stored as JSON. */
export interface Domain {
  name: DomainName
  /** The platform's own domain: it has a certificate like any other, but users neither see nor change it. */
  isPlatform?: true
  /** Whose domain it is, as the host server names the customer. */
  owner?: string
  /** What its record must point to, in place of the target of all. */
  target?: string
  /** What else the host server keeps with it: JSON. */
  data?: unknown
  /** The value of a TXT record that proves the ownership, and when it was found. */
  proof?: { token: string; provenAt?: string }
  state: 'added' | 'verifying' | 'verified' | 'issuing' | 'live' | 'failed'
  addedAt: string
  /** When the DNS record was last found correct. */
  verifiedAt?: string
  /** Where former records were found then. */
  outdated?: Outdated | undefined
  /** Since when the domain, its record being correct, has been waiting for a certificate. */
  waitingSince?: string
  liveSince?: string
  problem?: Problem
  /** At the other authorities: `problem` is of one. */
  failures?: AuthorityFailure[]
  /** Consecutive failures since `failingSince`; there is no automatic retry before `notBefore`. */
  attempts: number
  failingSince?: string
  /** When the last failure was. */
  failedAt?: string
  notBefore?: string
  /** When the rate limit that blocked the last issuance ends. */
  limitedUntil?: string
  /** When a user last requested verification. */
  askedAt?: string
  /** A user requested verification, and no attempt has ended since. */
  isRequested?: true
  /** When the certificate was issued. */
  issuedAt?: string
  /** When a certificate was last issued within a day of the one before, whose renewal window had passed. */
  issuedEarlyAt?: string
  certificate?: IssuedCertificate
  /** The former certificate, without its private key, until its authority has revoked it. */
  unrevoked?: string
  /** When a new certificate was requested although the present one is current. */
  reissueAt?: string
  /** The condition last reported to the webhook, such as `renewal_failing 7`. */
  lastNotified?: string
}

/** A new domain: `added` waits for a user, `verifying` is due at once. */
export function newDomain(
  name: DomainName,
  state: 'added' | 'verifying',
  now: Date,
  kept: Pick<Domain, 'owner' | 'target' | 'data' | 'proof' | 'unrevoked'> = {},
): Domain {
  return { name, ...kept, state, addedAt: now.toISOString(), attempts: 0 }
}
