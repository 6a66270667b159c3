// Reduces a domain to the condition that webhook events are deduplicated by.
import { renewsAt } from '../maintenance/schedule.ts'
import { definitionOf } from '../problems/index.ts'
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import type { DomainEvent } from '../state/message.ts'

export interface Condition {
  /** The event that reports it. */
  event: Exclude<DomainEvent['type'], 'domain.recovered' | 'domain.test'>
  /** The problem's code, or the days left: if it changes, the event is sent again. */
  detail?: string
}

const DAY = 24 * 3_600_000

/** Days left at which a failing renewal is reported again. */
const milestones = [1, 3, 7, 14]

/** A transient problem is reported after as many failures: about twenty minutes after the first one. */
const ATTEMPTS_BEFORE_REPORT = 4

/** Undefined during an attempt, and for conditions without an event. */
export function conditionOf(domain: Domain, now: Date): Condition | undefined {
  const { state, problem, certificate } = domain
  if (state !== 'live' && state !== 'failed') return undefined
  if (!problem) return { event: 'domain.live' }
  if (state === 'failed' && certificate && daysLeft(certificate, now) <= 0) return { event: 'domain.expired' }
  const { about, isTransient } = definitionOf(problem)
  if (isTransient && domain.attempts < ATTEMPTS_BEFORE_REPORT) return undefined
  if (state === 'failed' || !certificate) return { event: 'domain.failing', detail: problem.code }
  if (isRenewalDue(domain, certificate, now) || !(isTransient || about === 'dns')) {
    const milestone = milestones.find((days) => daysLeft(certificate, now) <= days)
    return { event: 'domain.renewal_failing', detail: String(milestone ?? 'first') }
  }
  return isTransient ? undefined : { event: 'domain.record_changed', detail: problem.code }
}

/** The text that `lastNotified` stores: `renewal_failing 7`. */
export function formatCondition({ event, detail }: Condition): string {
  return [event.replace('domain.', ''), ...(detail === undefined ? [] : [detail])].join(' ')
}

/** The days left, with a fraction; negative once it has expired. */
export function daysLeft({ notAfter }: Pick<IssuedCertificate, 'notAfter'>, now: Date): number {
  return (Date.parse(notAfter) - now.getTime()) / DAY
}

function isRenewalDue({ name, reissueAt }: Domain, certificate: IssuedCertificate, now: Date): boolean {
  return reissueAt !== undefined || renewsAt(name.host, certificate) <= now
}
