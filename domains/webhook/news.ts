// What a change of the domains means for those who are told: events, added to the outbox with the change itself.
import { randomUUID } from 'node:crypto'
import type { Domain } from '../state/domain.ts'
import type { Draft, Snapshot } from '../state/domain-state.ts'
import type { Message } from '../state/message.ts'
import { conditionOf } from './condition.ts'
import { type EventContext, eventOf } from './event.ts'

/** Whether the time alone has made something worth telling. */
export function hasNews({ domains }: Snapshot, now: Date): boolean {
  return [...domains.values()].some((domain) => newsOf(domain, domain, now) !== undefined)
}

/** Notes in each domain what is told of it, and adds the messages. */
export function addNews(before: Snapshot, draft: Draft, { target, now }: EventContext): void {
  const messages: Message[] = []
  for (const [host, domain] of draft.domains) {
    const former = before.domains.get(host)
    const news = newsOf(former, domain, now)
    if (!news) continue
    draft.domains.set(host, { ...domain, told: news.told })
    const event = eventOf(news.type, domain, { target, now })
    messages.push({ id: `msg_${randomUUID()}`, event, attempts: 0, notBefore: now.toISOString() })
  }
  draft.outbox = [...draft.outbox, ...messages]
}

function newsOf(before: Domain | undefined, domain: Domain, now: Date): { told: string; type: string } | undefined {
  const told = conditionOf(domain, now)
  const former = formerOf(before, domain)
  return told === undefined || told === former ? undefined : { told, type: `domain.${typeOf(told, former)}` }
}

/** A domain that was live before there was a webhook is no news; any trouble is. */
function formerOf(before: Domain | undefined, { told }: Domain): string | undefined {
  return told ?? (before?.state === 'live' ? 'live' : undefined)
}

/** A domain that is live again, after trouble that did not end its service, has recovered. */
function typeOf(told: string, former: string | undefined): string | undefined {
  const isRecovered = told === 'live' && /^(record|renewal)_/.test(former ?? '')
  return isRecovered ? 'recovered' : told.split(' ')[0]
}
