// Notifies a receiver of what happens to domains: each change adds messages to the outbox, which delivers them.
import type { Log } from '../maintenance/log.ts'
import type { ChangeObserver, DomainState } from '../state/domain-state.ts'
import type { Clock } from '../time.ts'
import { enqueueEvents } from './events.ts'
import { type Outbox, type Outcome, outboxOf } from './outbox.ts'
import { type Receiver, sender } from './send.ts'

export interface WebhookOptions {
  receiver: Receiver
  /** The platform's CNAME target. */
  target: string
  clock: Clock
}

export interface Webhook {
  observer: ChangeObserver
  /** @param state the leader's */
  open(state: DomainState, log: Log): Outbox
  /** Attempts that succeeded, attempts that failed, and messages that were dropped. */
  counts(): Readonly<Record<Outcome, number>>
}

export function webhookOf({ receiver, target, clock }: WebhookOptions): Webhook {
  const counts = { delivered: 0, failed: 0, dropped: 0 }
  const count = (outcome: Outcome) => {
    counts[outcome]++
  }
  let outbox: Outbox | undefined
  return {
    observer: {
      complete: (before, draft) => enqueueEvents(before, draft, { target, now: clock.now() }),
      onChange: () => outbox?.wake(),
    },
    open(state, log) {
      outbox = outboxOf({ state, send: sender(receiver), clock, log, count, random: Math.random })
      return outbox
    },
    counts: () => counts,
  }
}
