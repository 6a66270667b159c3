// Decides when a domain needs work. Computed from its state and the time alone, so that a lost timer changes nothing.
import type { CertificateDates, Domain } from '../state/domain.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** The interval between two verifications that a user requests. */
const REQUEST_INTERVAL = 30 * SECOND
const ORDERS_PER_HOUR = 4
/** Automatic retries stop after this long without success. */
const RETRY_PERIOD = 30 * DAY

/** With a third of the lifetime left, or half of one below ten days. */
export function renewsAt({ notBefore, notAfter }: Pick<CertificateDates, 'notBefore' | 'notAfter'>): Date {
  const end = Date.parse(notAfter)
  const lifetime = end - Date.parse(notBefore)
  return new Date(end - lifetime / (lifetime < 10 * DAY ? 2 : 3))
}

/** When the next automatic attempt is due: in the past means now, undefined never. */
export function dueAt(domain: Domain): Date | undefined {
  const { state, certificate, problem } = domain
  if (state === 'added') return undefined
  if (state === 'failed') return retryAt(domain)
  if (state !== 'live' || !certificate) return new Date(0) // interrupted by the end of the process
  const end = new Date(certificate.notAfter)
  const next = problem ? retryAt(domain) : new Date(Math.max(renewsAt(certificate).getTime(), restsUntil(domain)))
  return next && next < end ? next : end
}

/** The next automatic retry after a failure, or undefined once retries have stopped. */
export function retryAt({ notBefore, failingSince }: Domain): Date | undefined {
  if (!notBefore || !failingSince) return undefined
  const hasStopped = Date.parse(notBefore) - Date.parse(failingSince) > RETRY_PERIOD
  return hasStopped ? undefined : new Date(notBefore)
}

/** When a user may request verification again: in the past means now. */
export function canRequestAt({ askedAt, limitedUntil }: Domain, now: Date): Date {
  const limitEnds = limitedUntil ? Date.parse(limitedUntil) : 0
  return new Date(Math.max(limitEnds, endOf(askedAt, REQUEST_INTERVAL, now)))
}

/** The issuances of the last hour. */
export function recentOrders({ orderedAt }: Domain, now: Date): string[] {
  return orderedAt.filter((time) => endOf(time, HOUR, now) > now.getTime())
}

/** When the next certificate may be requested: undefined means now. */
export function canOrderAt(domain: Domain, now: Date): Date | undefined {
  const orders = recentOrders(domain, now)
  const limitEnds = orders.length < ORDERS_PER_HOUR ? 0 : endOf(orders[0], HOUR, now)
  const end = Math.max(limitEnds, restsUntil(domain))
  return end > now.getTime() ? new Date(end) : undefined
}

/** True if a live domain's certificate has expired. */
export function hasExpired({ state, certificate }: Domain, now: Date): boolean {
  return state === 'live' && certificate !== undefined && new Date(certificate.notAfter) <= now
}

/** True if the domain is live, and remains so during an attempt. */
export function isServed(domain: Domain, now: Date): boolean {
  return domain.state === 'live' && !hasExpired(domain, now)
}

/** No issuance within a day of the last success (less for short-lived ones): a wrong clock would cause a loop. */
function restsUntil({ issuedAt, certificate }: Domain): number {
  if (!issuedAt || !certificate) return 0
  const lifetime = Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore)
  return Date.parse(issuedAt) + Math.min(DAY, lifetime / 2)
}

/** The end of a period that began at a time. A beginning in the future is from before the clock was set back. */
function endOf(begin: string | undefined, milliseconds: number, now: Date): number {
  const start = Date.parse(begin ?? '')
  return start <= now.getTime() ? start + milliseconds : 0
}
