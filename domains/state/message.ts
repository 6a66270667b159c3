// A message for the webhook, from the change that it tells of until its delivery. Times are ISO 8601, in UTC.
import type { Domain, ProblemCode } from './domain.ts'

export interface EventData {
  domain: string
  state: Domain['state']
  /** Whole days, rounded down. */
  certificate?: { notAfter: string; daysLeft: number }
  problem?: { code: ProblemCode; message: string; steps: string[]; nextTryAt?: string }
}

/** The body, as the Standard Webhooks specification recommends. */
export interface WebhookEvent {
  /** `domain.live` */
  type: string
  /** When it happened. */
  timestamp: string
  data: EventData
}

/** Stored as JSON. */
export interface Message {
  /** The same in each attempt. */
  id: string
  event: WebhookEvent
  /** Attempts that failed. */
  attempts: number
  /** There is no attempt before. */
  notBefore: string
}
