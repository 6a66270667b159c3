// When a message is sent, and sent again: pure functions.
import type { Message } from '../state/message.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits after failed attempts that the Standard Webhooks specification gives as an example: three days in all. */
const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]

/** The longest pause with jitter: a later time is from a clock that was wrong. */
const LONGEST_WAIT = 27 * HOUR

export function isDue({ notBefore }: Message, now: Date): boolean {
  const wait = Date.parse(notBefore) - now.getTime()
  return wait <= 0 || wait > LONGEST_WAIT
}

/** Milliseconds until a message of the outbox may be due, at most `longest`. */
export function waitOf(outbox: Iterable<Message>, now: Date, longest: number): number {
  const waits = Array.from(outbox, ({ notBefore }) => Date.parse(notBefore) - now.getTime())
  return Math.max(0, Math.min(longest, ...waits))
}

export interface FailedAttempt {
  id: string
  retryAfterMs: number
  now: Date
  /** In [0, 1): the jitter, 10% either way. */
  random: number
}

/** Whether no attempt follows this one. */
export function isLast({ attempts }: Message): boolean {
  return attempts >= waits.length
}

/** A message after an attempt that failed: a receiver that asks for a pause gets it from all messages. */
export function afterFailure(message: Message, failed: FailedAttempt): Message {
  const { id, retryAfterMs, now, random } = failed
  const pause = now.getTime() + retryAfterMs
  if (message.id !== id) return notBefore(pause, message)
  const wait = (waits[message.attempts] as number) * (0.9 + 0.2 * random)
  return { ...notBefore(Math.max(pause, now.getTime() + wait), message), attempts: message.attempts + 1 }
}

function notBefore(time: number, message: Message): Message {
  return Date.parse(message.notBefore) >= time ? message : { ...message, notBefore: new Date(time).toISOString() }
}
