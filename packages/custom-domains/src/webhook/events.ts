// Turns a state change into webhook events, committed to the outbox together with the change.
import { randomUUID } from 'node:crypto'
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import { keysThatDiffer } from '../state/layered-map.ts'
import type { DomainEvent, WebhookEvent } from '../state/message.ts'
import type { Draft, Snapshot } from '../state/snapshot.ts'
import { problemOf } from '../texts/problems.ts'
import { type Condition, conditionOf, daysLeft, formatCondition } from './condition.ts'

/** A domain that goes live after one of these has recovered: it was served all along. */
const whileServed: readonly Condition['event'][] = ['domain.record_changed', 'domain.renewal_failing']

export interface EventContext {
  /** The platform's CNAME target. */
  target: string
  now: Date
}

/** Whether the passage of time alone has made an event due. */
export function hasDueEvents({ domains }: Snapshot, now: Date): boolean {
  return [...domains.values()].some((domain) => changeOf(domain, domain, now) !== undefined)
}

/** Changes the domains that have due events: a change adds them. */
export function touchDueDomains({ domains }: Draft, now: Date): void {
  for (const [host, domain] of domains) if (changeOf(domain, domain, now)) domains.set(host, { ...domain })
}

/** Adds the events of a change to the outbox, and records in each domain what was last reported. */
export function enqueueEvents(before: Snapshot, draft: Draft, context: EventContext): void {
  const events: WebhookEvent[] = []
  for (const [authority, account] of draft.accounts) {
    const former = before.accounts.get(authority)
    if (former === undefined || former === account) continue
    events.push({ type: 'account.replaced', timestamp: time(context), data: { authority, account, former } })
  }
  for (const host of keysThatDiffer(before.domains, draft.domains)) {
    const domain = draft.domains.get(host)
    if (!domain) continue
    const change = changeOf(before.domains.get(host), domain, context.now)
    if (!change) continue
    draft.domains.set(host, { ...domain, lastNotified: change.lastNotified })
    events.push(domainEvent(change.type, domain, context))
  }
  for (const event of events) {
    const id = `msg_${randomUUID()}`
    draft.outbox.set(id, { id, event, attempts: 0, notBefore: time(context) })
  }
}

/** Sent by an operator to see that messages arrive. */
export function testEvent(now: Date): DomainEvent {
  return { type: 'domain.test', timestamp: now.toISOString(), data: { domain: 'docs.example.com', state: 'live' } }
}

const time = ({ now }: EventContext) => now.toISOString()

function changeOf(before: Domain | undefined, domain: Domain, now: Date) {
  const condition = conditionOf(domain, now)
  if (!condition) return undefined
  const lastNotified = formatCondition(condition)
  const former = formerOf(before, domain)
  return lastNotified === former ? undefined : { lastNotified, type: typeOf(condition, former) }
}

/** A domain that was live before there was a webhook is not reported as live; any problem is reported. */
function formerOf(before: Domain | undefined, { lastNotified }: Domain): string | undefined {
  return lastNotified ?? (before?.state === 'live' ? 'live' : undefined)
}

function typeOf({ event }: Condition, former: string | undefined): DomainEvent['type'] {
  const wasServed = whileServed.some((each) => former?.startsWith(formatCondition({ event: each })))
  return event === 'domain.live' && wasServed ? 'domain.recovered' : event
}

function domainEvent(type: DomainEvent['type'], domain: Domain, context: EventContext): DomainEvent {
  const { name, state, certificate } = domain
  const problem = problemOf(domain, context)
  return {
    type,
    timestamp: time(context),
    data: {
      domain: name.host,
      state,
      ...(certificate && { certificate: validity(certificate, context.now) }),
      ...(problem && { problem }),
    },
  }
}

function validity(certificate: IssuedCertificate, now: Date) {
  const { notAfter, renewal: { explanationUrl } = {} } = certificate
  const left = Math.max(0, Math.floor(daysLeft(certificate, now)))
  return { notAfter, daysLeft: left, ...(explanationUrl && { explanationUrl }) }
}
