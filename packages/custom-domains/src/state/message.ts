// A message for the webhook, from the change that it reports until its delivery. Times are ISO 8601, in UTC.
import type { Domain, ProblemCode } from './domain.ts'

export interface DomainData {
  domain: string
  state: Domain['state']
  /** Whole days, rounded down. */
  certificate?: { notAfter: string; daysLeft: number; explanationUrl?: string }
  problem?: {
    code: ProblemCode
    about: string
    addressee: string
    message: string
    steps: string[]
    notes: string[]
    nextTryAt?: string
  }
}

/** An authority no longer accepts the former account. */
export interface AccountData {
  /** The directory URL. */
  authority: string
  account: string
  former: string
}

export interface DomainEvent {
  type:
    | 'domain.live'
    | 'domain.failing'
    | 'domain.renewal_failing'
    | 'domain.record_changed'
    | 'domain.recovered'
    | 'domain.expired'
    | 'domain.test'
  /** When it happened. */
  timestamp: string
  data: DomainData
}

export interface AccountEvent {
  type: 'account.replaced'
  timestamp: string
  data: AccountData
}

/** The body, as the Standard Webhooks specification recommends. */
export type WebhookEvent = DomainEvent | AccountEvent

/** Stored as JSON. */
export interface Message {
  /** The same in each attempt. */
  id: string
  event: WebhookEvent
  /** Attempts that failed. */
  attempts: number
  /** Earliest time of the next attempt. */
  notBefore: string
}
