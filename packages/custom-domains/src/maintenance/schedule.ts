// Decides when a domain needs an attempt, from its state and the time alone, so that a lost timer changes nothing.
import type { Domain, IssuedCertificate, Problem } from '../state/domain.ts'
import { type Need, needOf } from './need.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Renewal windows are first checked within this time of a start: an authority may have announced a revocation before. */
const FIRST_CHECKS = 10 * MINUTE
/** More than that for many domains. */
const FIRST_CHECK_OF_EACH = SECOND / 2

/** The interval between two verifications that a user requests. */
const REQUEST_INTERVAL = 30 * SECOND
/** The waits after the first failure, the second and so on; after that, a day. */
const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR]
/** The longest pause after a failure of the authority itself, which counts towards none of its limits. */
const LONGEST_CA_WAIT = HOUR
/** Many domains may wait for the same limit to end: they retry over this period, each need in a part of it. */
const LONGEST_SPREAD = HOUR
const parts: Record<Need, { from: number; length: number }> = {
  urgent: { from: 0, length: 0.1 },
  first: { from: 0.1, length: 0.1 },
  renewal: { from: 0.2, length: 0.8 },
}
/** Automatic retries of a domain that is not live stop after this long without success. */
const RETRY_PERIOD = 30 * DAY
/** A stored time this far in the future is from a clock that was wrong: ignore it. */
const CLOCK_TOLERANCE = 60 * SECOND

/**
 * Renewal is due with a third of the lifetime left (half, below ten days) or up to a quarter of that sooner, at a
 * different time for each host; or when the authority suggests, but no later than with half of that third remaining: Pebble
 * suggests a time within a day, even for a certificate that ends sooner.
 */
export function renewsAt(host: string, { notBefore, notAfter, renewal }: Omit<IssuedCertificate, 'issuer'>): Date {
  const end = Date.parse(notAfter)
  const lifetime = end - Date.parse(notBefore)
  const left = lifetime / (lifetime < 10 * DAY ? 2 : 3)
  if (renewal) return new Date(Math.min(Date.parse(renewal.at), end - left / 2))
  return new Date(end - left * (1 + spreadOf(host) / 4))
}

/** The checks of live domains by one process: they are not saved. */
export interface Checks {
  /** When they began. */
  since: Date
  /** How many domains there are. */
  count: number
}

/**
 * When the next automatic attempt is due: in the past means now, undefined never. Unless the clock is set back, it stays the
 * same for as long as the domain does.
 */
export function dueAt(domain: Domain, now: Date, checks: Checks = { since: new Date(0), count: 0 }): Date | undefined {
  const { state, certificate, failedAt, reissueAt } = domain
  if (domain.isRequested) return new Date(0)
  if (state === 'added') return undefined
  if (state === 'failed') return retryAt(domain, now)
  if (state !== 'live' || !certificate) return new Date(0) // interrupted by the end of the process
  const end = new Date(certificate.notAfter)
  const renewal = reissueAt ? new Date(reissueAt) : renewalDueAt(domain, certificate, now)
  const hasFailed = failedAt !== undefined && renewal <= new Date(failedAt)
  return [hasFailed ? undefined : renewal, retryAt(domain, now), nextCheckAt(domain, now, checks)].reduce(earlier, end)
}

/** When a certificate of the domain is due for renewal. */
export function renewalDueAt(domain: Domain, certificate: IssuedCertificate, now: Date): Date {
  return new Date(
    Math.max(renewsAt(domain.name.host, certificate).getTime(), noIssuanceBefore({ ...domain, certificate }, now)),
  )
}

/**
 * When a live domain is checked again. Its DNS record is checked daily, at a time of day of its own; its renewal window as
 * often as the authority suggests.
 */
function nextCheckAt(domain: Domain, now: Date, { since, count }: Checks): Date | undefined {
  const { verifiedAt, failedAt, name, certificate } = domain
  if (!verifiedAt) return undefined
  const begin = since.getTime()
  const spread = spreadOf(name.host)
  const recordCheck = nextAt(spread * DAY, Math.max(endOf(failedAt ?? verifiedAt, DAY / 2, now), begin))
  const { checkAt } = certificate?.renewal ?? {}
  if (checkAt === undefined || failedAt) return recordCheck
  const first = begin + spread * Math.max(FIRST_CHECKS, count * FIRST_CHECK_OF_EACH)
  return earlier(recordCheck, new Date(Date.parse(verifiedAt) >= begin ? checkAt : first))
}

/** The first time from `from` on that is `time` after midnight, UTC. */
function nextAt(time: number, from: number): Date {
  return new Date(time + DAY * Math.ceil((from - time) / DAY))
}

/** A number in [0, 1) that differs from host to host: FNV-1a, with a last mix of its bits. */
export function spreadOf(host: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < host.length; index++) hash = Math.imul(hash ^ host.charCodeAt(index), 0x01000193)
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32
}

function earlier(date: Date, other: Date | undefined): Date {
  return other && other < date ? other : date
}

export interface Failures {
  domain: Domain
  /** Consecutive failures, from 1. */
  attempts: number
  problem: Problem
  now: Date
  /** The minimum wait that the authority asks for. */
  retryAfterMs: number
  /** In [0, 1): the jitter, 10% either way. */
  random: number
}

/** When to retry after a failure. */
export function nextTry({ domain, attempts, problem, now, retryAfterMs, random }: Failures): Date {
  const most = domain.certificate ? longestRetryAfter(domain, now) : Number.POSITIVE_INFINITY
  const at = (ms: number) => new Date(now.getTime() + ms)
  if (isQueued(problem)) return at(Math.min(retryAfterMs, most))
  const wait = Math.min((WAITS[attempts - 1] ?? DAY) * (0.9 + 0.2 * random), longestWait(domain, problem, now))
  const { from, length } = parts[needOf(domain, now)]
  const limited = retryAfterMs + Math.min(retryAfterMs / 2, LONGEST_SPREAD) * (from + length * random)
  return at(Math.max(wait, Math.min(limited, most)))
}

/** True for a domain that waits for its turn at an authority: that is no failure. */
export function isQueued(problem: Problem | undefined): boolean {
  return problem?.code === 'rate_limited' && problem.queue !== undefined
}

/** The longest wait after a problem, unless the authority asks for more. */
function longestWait(domain: Domain, problem: Problem, now: Date): number {
  return Math.min(problem.code === 'ca_unavailable' ? LONGEST_CA_WAIT : DAY, longestRetryAfter(domain, now))
}

/**
 * The longest wait that an authority may ask for: a tenth of the life that the certificate has left, or of its whole life
 * once it has expired, but then at most a day, as without one.
 */
export function longestRetryAfter({ certificate }: Domain, now: Date): number {
  if (!certificate) return DAY
  const [begin, end] = [Date.parse(certificate.notBefore), Date.parse(certificate.notAfter)]
  const left = end - now.getTime()
  return Math.max(MINUTE, left > 0 ? left / 10 : Math.min(DAY, (end - begin) / 10))
}

/** The next automatic retry after a failure, or undefined once retries have stopped. Those of a live domain never do. */
export function retryAt({ state, notBefore, failingSince, failedAt }: Domain, now: Date): Date | undefined {
  if (!notBefore || !failingSince) return undefined
  if (isOfWrongClock(failedAt ?? failingSince, now)) return now
  const hasStopped = state !== 'live' && Date.parse(notBefore) - Date.parse(failingSince) > RETRY_PERIOD
  return hasStopped ? undefined : new Date(notBefore)
}

/** When a user may request verification again: in the past means now. */
export function nextRequestAt({ askedAt, limitedUntil, failedAt }: Domain, now: Date): Date {
  const limitEnds = limitedUntil && !isOfWrongClock(failedAt, now) ? Date.parse(limitedUntil) : 0
  return new Date(Math.max(limitEnds, endOf(askedAt, REQUEST_INTERVAL, now)))
}

/** True if a live domain's certificate has expired. */
export function hasExpired({ state, certificate }: Domain, now: Date): boolean {
  return state === 'live' && certificate !== undefined && new Date(certificate.notAfter) <= now
}

/** True if the domain is live, and remains so during an attempt. */
export function isServed(domain: Domain, now: Date): boolean {
  return domain.state === 'live' && !hasExpired(domain, now)
}

/**
 * No issuance within a day of the last success, or a third of a lifetime below three days, unless a user requests it: a
 * wrong clock would cause a loop. A renewal window in the past means that the authority revokes the certificate (RFC 9773,
 * section 4.2), which justifies one early renewal.
 */
export function noIssuanceBefore(domain: Domain, now: Date): number {
  const { issuedAt, issuedEarlyAt, certificate } = domain
  const usually = usuallyNoIssuanceBefore(domain, now)
  const wasEarly = issuedEarlyAt !== undefined && issuedEarlyAt === issuedAt
  const windowEnd = wasEarly ? Number.NaN : Date.parse(certificate?.renewal?.end ?? '')
  return windowEnd < usually ? windowEnd : usually
}

/** True if a certificate that is issued now is an early one. */
export function isEarly(domain: Domain, now: Date): boolean {
  return usuallyNoIssuanceBefore(domain, now) > now.getTime()
}

function usuallyNoIssuanceBefore({ issuedAt, certificate, reissueAt }: Domain, now: Date): number {
  if (!issuedAt || !certificate || reissueAt) return 0
  const lifetime = Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore)
  return endOf(issuedAt, Math.min(DAY, lifetime / 3), now)
}

/** True for the time of an event that, by the present clock, has not happened yet. */
export function isOfWrongClock(time: string | undefined, now: Date): boolean {
  return time !== undefined && Date.parse(time) > now.getTime() + CLOCK_TOLERANCE
}

/** The end of a period that began at a time. A beginning in the future is from before the clock was set back. */
export function endOf(begin: string | undefined, milliseconds: number, now: Date): number {
  const start = Date.parse(begin ?? '')
  return start <= now.getTime() ? start + milliseconds : 0
}
