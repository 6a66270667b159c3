// When something is to be done for a domain. All from what is known of it and the time: nothing depends on a timer.
import { renewsAt } from '../certificates/certificate.ts'
import type { Domain } from '../state/domain.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** Who asks for a verification waits this long before asking again. */
const ASK_INTERVAL = 30 * SECOND
const ORDERS_PER_HOUR = 4
/** After this long without success nothing is tried by itself any more. */
const PATIENCE = 30 * DAY

/** When the domain is to be looked at by itself: in the past means now, undefined never. */
export function dueAt(domain: Domain): Date | undefined {
  const { state, certificate, problem } = domain
  if (state === 'added') return undefined
  if (state === 'failed') return retryAt(domain)
  if (state !== 'live' || !certificate) return new Date(0) // begun, and left by a process that ended
  const end = new Date(certificate.notAfter)
  const next = problem ? retryAt(domain) : new Date(Math.max(renewsAt(certificate).getTime(), restsUntil(domain)))
  return next && next < end ? next : end
}

/** The next try after a failure, or undefined when it has failed for too long. */
export function retryAt({ notBefore, failingSince }: Domain): Date | undefined {
  if (!notBefore || !failingSince) return undefined
  const isOver = Date.parse(notBefore) - Date.parse(failingSince) > PATIENCE
  return isOver ? undefined : new Date(notBefore)
}

/** From when on a user may ask for a verification (again): in the past means now. */
export function canAskAt({ askedAt, limitedUntil }: Domain, now: Date): Date {
  const limitEnds = limitedUntil ? Date.parse(limitedUntil) : 0
  return new Date(Math.max(limitEnds, endOf(askedAt, ASK_INTERVAL, now)))
}

/** The orders of the last hour. */
export function recentOrders({ orderedAt }: Domain, now: Date): string[] {
  return orderedAt.filter((time) => endOf(time, HOUR, now) > now.getTime())
}

/** When the next certificate may be ordered: undefined means now. */
export function canOrderAt(domain: Domain, now: Date): Date | undefined {
  const orders = recentOrders(domain, now)
  const limitEnds = orders.length < ORDERS_PER_HOUR ? 0 : endOf(orders[0], HOUR, now)
  const end = Math.max(limitEnds, restsUntil(domain))
  return end > now.getTime() ? new Date(end) : undefined
}

/** Whether the domain is live, and its certificate has ended. */
export function hasEnded({ state, certificate }: Domain, now: Date): boolean {
  return state === 'live' && certificate !== undefined && new Date(certificate.notAfter) <= now
}

/** Whether the domain is live, and stays so while it is looked at again. */
export function isServed(domain: Domain, now: Date): boolean {
  return domain.state === 'live' && !hasEnded(domain, now)
}

/** After a success no certificate is ordered for a day, unless it lives shorter: a clock that is wrong would go on and on. */
function restsUntil({ issuedAt, certificate }: Domain): number {
  if (!issuedAt || !certificate) return 0
  const life = Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore)
  return Date.parse(issuedAt) + Math.min(DAY, life / 2)
}

/** The end of what began at a time and lasts that long. What begins in the future is of a clock that was set back. */
function endOf(begin: string | undefined, milliseconds: number, now: Date): number {
  const start = Date.parse(begin ?? '')
  return start <= now.getTime() ? start + milliseconds : 0
}
