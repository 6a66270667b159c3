// A domain that is served, and what can be wrong with it. Times are ISO 8601, in UTC.
import { domainToASCII } from 'node:url'

/** A domain name once parsed: `host` is lower-case ASCII without a trailing dot. */
export interface DomainName {
  host: string
  kind: 'subdomain' | 'apex'
  /** The registrable domain: `example.com` of `docs.example.com`. */
  zone: string
  /** The part before the zone, `docs`, or `@` for the apex itself. */
  label: string
}

/** The host of a domain as users write it; empty if it cannot be a domain. */
export function hostOf(typed: string): string {
  return domainToASCII(typed.trim()).replace(/\.$/, '')
}

/** A record as DNS providers show it. */
export interface DnsRecord {
  type: string
  value: string
}

/** Why a domain is not live, or may not stay so. The texts for users are in view/problem-texts.ts. */
export type Problem =
  /**
   * The name has no records at all. `delegated` is the zone that it is in, where that is not the registrable domain.
   * `doubled` is a name with the record: the provider appended the zone to a full name.
   */
  | { code: 'record_missing'; delegated?: string; doubled?: string }
  /**
   * Records that cannot coexist with the required one, or that send some visitors elsewhere. `via`: a proxy of the DNS
   * provider, or addresses of the platform, stand in the place of a record.
   */
  | { code: 'conflicting_record'; found: DnsRecord[]; via?: 'proxy' | 'flattening'; delegated?: string }
  /** `isZoneAppended`: the provider appended the zone to the value, `target.example.com` for `target`. */
  | { code: 'cname_mismatch'; found: string; expected: string; isZoneAppended: boolean; delegated?: string }
  /** The platform's own CNAME target has no address: its operator must fix this. */
  | { code: 'target_unresolvable'; target: string }
  /** `refused`: none of the zone's name servers serves it. */
  | { code: 'dns_unreachable'; name: string; refused?: { zone: string; servers: string[] } }
  /** A validating resolver rejects the zone's signatures. */
  | { code: 'dnssec_broken'; name: string }
  /** A server of the zone has other records, `found`, than the rest of them. */
  | { code: 'record_not_everywhere'; server: string; found: DnsRecord[] }
  /** RFC 8659: `level` is the name that has the blocking records, `found`; `expected` the one to add, empty where none would help. `alias` is the name whose CNAME leads to `level`. `detail` is the authority's own text, where only it found the problem. */
  | { code: 'caa_blocks'; level: string; alias?: string; found: string[]; expected: string; detail?: string }
  | { code: 'caa_unreachable'; level: string }
  /** `detail` is the authority's own text. */
  | { code: 'rate_limited'; detail: string }
  | { code: 'ca_unavailable'; detail: string }
  | { code: 'ca_cannot_connect'; detail: string }
  | { code: 'ca_cannot_resolve'; detail: string }
  /** `url`: where the operator must act, such as agree to new terms (RFC 8555, section 7.3.3). */
  | { code: 'ca_refused'; detail: string; url?: string }
  /** The last certificate expired before it was renewed. */
  | { code: 'certificate_expired'; notAfter: string }
  /** The state or the certificate cannot be written: a full disk, a missing permission. */
  | { code: 'storage_failed'; detail: string }
  /** The stored record of the domain cannot be read. */
  | { code: 'record_damaged'; detail: string }

export type ProblemCode = Problem['code']

export type RedirectStatus = 301 | 302 | 307 | 308

/** Former records that are still found: at a server of the zone, or in a resolver's cache. */
export type Outdated = { found: DnsRecord[] } & ({ server: string } | { until: string })

/** As the certificate itself states them. */
export interface CertificateDates {
  issuer: string
  notBefore: string
  notAfter: string
}

export interface IssuedCertificate extends CertificateDates {
  /** The directory URL of the authority that it was ordered from; undefined for one from before this was recorded. */
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
}

/** Stored as JSON. */
export interface Domain {
  name: DomainName
  /** The platform's own domain: it has a certificate like any other, but users neither see nor change it. */
  isPlatform?: true
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
  /** When a new certificate was requested although the present one is current. */
  reissueAt?: string
  /** The condition last reported to the webhook, such as `renewal_failing 7`. */
  lastNotified?: string
}

/** A new domain: `added` waits for a user, `verifying` is due at once. */
export function newDomain(name: DomainName, state: 'added' | 'verifying', now: Date): Domain {
  return { name, state, addedAt: now.toISOString(), attempts: 0 }
}
