// Turns a state change into webhook events, committed to the outbox together with the change.
import { randomUUID } from 'node:crypto'
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import type { Message, WebhookEvent } from '../state/message.ts'
import type { Draft, Snapshot } from '../state/snapshot.ts'
import { problemOf } from '../view/problems.ts'
import { conditionOf, daysLeft } from './condition.ts'

export interface EventContext {
  /** The platform's CNAME target. */
  target: string
  now: Date
}

/** Whether the passage of time alone has made an event due. */
export function hasDueEvents({ domains }: Snapshot, now: Date): boolean {
  return [...domains.values()].some((domain) => changeOf(domain, domain, now) !== undefined)
}

/** Adds the events of a change to the outbox, and records in each domain what was last reported. */
export function enqueueEvents(before: Snapshot, draft: Draft, context: EventContext): void {
  const events: WebhookEvent[] = []
  for (const [authority, account] of draft.accounts) {
    const former = before.accounts.get(authority)
    if (former === undefined || former === account) continue
    events.push({ type: 'account.replaced', timestamp: time(context), data: { authority, account, former } })
  }
  for (const [host, domain] of draft.domains) {
    const change = changeOf(before.domains.get(host), domain, context.now)
    if (!change) continue
    draft.domains.set(host, { ...domain, lastNotified: change.condition })
    events.push(domainEvent(change.type, domain, context))
  }
  const messages = events.map(
    (event): Message => ({ id: `msg_${randomUUID()}`, event, attempts: 0, notBefore: time(context) }),
  )
  draft.outbox = [...draft.outbox, ...messages]
}

/** Sent by an operator to see that messages arrive. */
export function testEvent(now: Date): WebhookEvent {
  return { type: 'domain.test', timestamp: now.toISOString(), data: { domain: 'docs.example.com', state: 'live' } }
}

const time = ({ now }: EventContext) => now.toISOString()

function changeOf(before: Domain | undefined, domain: Domain, now: Date) {
  const condition = conditionOf(domain, now)
  const former = formerOf(before, domain)
  return condition === undefined || condition === former
    ? undefined
    : { condition, type: `domain.${typeOf(condition, former)}` }
}

/** A domain that was live before there was a webhook is not reported as live; any problem is reported. */
function formerOf(before: Domain | undefined, { lastNotified }: Domain): string | undefined {
  return lastNotified ?? (before?.state === 'live' ? 'live' : undefined)
}

/** A domain that is live again, after a problem that did not end its service, has recovered. */
function typeOf(condition: string, former: string | undefined): string | undefined {
  const isRecovered = condition === 'live' && /^(record|renewal)_/.test(former ?? '')
  return isRecovered ? 'recovered' : condition.split(' ')[0]
}

function domainEvent(type: string, domain: Domain, context: EventContext): WebhookEvent {
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
  const { notAfter } = certificate
  return { notAfter, daysLeft: Math.max(0, Math.floor(daysLeft(certificate, now))) }
}
