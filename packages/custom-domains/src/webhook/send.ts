// Sends one message, signed according to Standard Webhooks 1.0.0.
import { createHmac } from 'node:crypto'
import type { Message } from '../state/message.ts'
import { retryAfterMs, withTimeout } from '../time.ts'

/** The specification recommends 15 to 30 seconds. */
const TIMEOUT_MS = 15_000
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

export interface Receiver {
  url: string
  /** Each one signs, so that the receiver can roll its secret. */
  secrets: readonly Buffer[]
  /** `User-Agent` of the messages. */
  userAgent?: string | undefined
}

export type Answer =
  | { outcome: 'delivered'; reason: string }
  /** 410: the receiver declines all further messages. */
  | { outcome: 'gone'; reason: string }
  | { outcome: 'failed'; reason: string; retryAfterMs: number }

/** @throws only when the signal aborts */
export type Send = (message: Pick<Message, 'id' | 'event'>, signal: AbortSignal) => Promise<Answer>

/** No redirect is followed, and no response is read beyond its headers. */
export function sender({ url, secrets, userAgent = 'custom-domains' }: Receiver, timeoutMs = TIMEOUT_MS): Send {
  return async ({ id, event }, signal) => {
    const body = JSON.stringify(event)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => signatureOf(`${id}.${timestamp}.${body}`, secret)).join(' '),
    }
    const inTime = withTimeout(signal, timeoutMs)
    try {
      const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal: inTime })
      await response.body?.cancel()
      return outcomeOf(response)
    } catch (error) {
      signal.throwIfAborted()
      return { outcome: 'failed', reason: inTime.aborted ? 'no response in time' : causeOf(error), retryAfterMs: 0 }
    }
  }
}

function signatureOf(content: string, secret: Buffer): string {
  return `v1,${createHmac('sha256', secret).update(content).digest('base64')}`
}

function outcomeOf({ ok, status, headers }: Response): Answer {
  const reason = `status ${status}`
  if (ok) return { outcome: 'delivered', reason }
  if (status === 410) return { outcome: 'gone', reason }
  const retryAfter = String(headers.get('retry-after'))
  return { outcome: 'failed', reason, retryAfterMs: retryAfterMs(retryAfter, LONGEST_RETRY_AFTER_MS) }
}

/** `fetch` describes failures only in the cause, which may have no message but a code. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause: NodeJS.ErrnoException }
  return cause.code ?? cause.message
}
