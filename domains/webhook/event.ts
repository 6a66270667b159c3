// The body of a message: what happened to a domain, what is wrong, and until when its certificate is valid.
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import type { WebhookEvent } from '../state/message.ts'
import { problemOf } from '../view/problems.ts'
import { daysLeft } from './condition.ts'

export interface EventContext {
  /** The platform's CNAME target. */
  target: string
  now: Date
}

export function eventOf(type: string, domain: Domain, context: EventContext): WebhookEvent {
  const { name, state, certificate } = domain
  const problem = problemOf(domain, context)
  return {
    type,
    timestamp: context.now.toISOString(),
    data: {
      domain: name.host,
      state,
      ...(certificate && { certificate: validity(certificate, context.now) }),
      ...(problem && { problem }),
    },
  }
}

/** Sent by an operator to see that messages arrive. */
export function testEvent(now: Date): WebhookEvent {
  return { type: 'domain.test', timestamp: now.toISOString(), data: { domain: 'docs.example.com', state: 'live' } }
}

function validity(certificate: IssuedCertificate, now: Date) {
  const { notAfter } = certificate
  return { notAfter, daysLeft: Math.max(0, Math.floor(daysLeft(certificate, now))) }
}
