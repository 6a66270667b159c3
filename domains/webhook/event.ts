// The body of a message: what happened to a domain, what is wrong, and until when its certificate is valid.
import { retryAt } from '../maintenance/schedule.ts'
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import type { EventData, WebhookEvent } from '../state/message.ts'
import { describe } from '../view/problems.ts'
import { daysLeft } from './condition.ts'

export interface EventContext {
  /** The platform's CNAME target. */
  target: string
  now: Date
}

export function eventOf(type: string, domain: Domain, context: EventContext): WebhookEvent {
  const { name, state, certificate } = domain
  return {
    type,
    timestamp: context.now.toISOString(),
    data: {
      domain: name.host,
      state,
      ...(certificate && { certificate: validity(certificate, context.now) }),
      ...problemOf(domain, context),
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

/** As the dashboard's API has it. The steps are for users' domains. */
function problemOf(domain: Domain, { target, now }: EventContext): Pick<EventData, 'problem'> {
  const { name, problem, certificate, isPlatform } = domain
  if (!problem) return {}
  const nextTryAt = retryAt(domain, now)
  const { message, steps } = describe(problem, { name, target, now, nextTryAt, certificate })
  return {
    problem: {
      code: problem.code,
      message,
      steps: isPlatform ? [] : steps,
      ...(nextTryAt && { nextTryAt: nextTryAt.toISOString() }),
    },
  }
}
