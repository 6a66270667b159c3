// Sends one message, signed according to Standard Webhooks 1.0.0.
import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { openAgent, type ProxyEnv, request } from '../outgoing.ts'
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
  proxyEnv?: ProxyEnv | undefined
}

export type Answer =
  | { outcome: 'delivered'; reason: string }
  /** 410: the receiver declines all further messages. */
  | { outcome: 'gone'; reason: string }
  | { outcome: 'failed'; reason: string; retryAfterMs: number }

/** @throws only when the signal aborts */
export type Send = (message: Pick<Message, 'id' | 'event'>, signal: AbortSignal) => Promise<Answer>

/** No redirect is followed, and no response is read beyond its headers. */
export function sender(receiver: Receiver, timeoutMs = TIMEOUT_MS): Send {
  const { url, secrets, userAgent = 'custom-domains', proxyEnv } = receiver
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
    const agent = openAgent({ proxyEnv })
    try {
      const outgoing = { method: 'POST', headers, body, agent, signal: inTime }
      const response = await request(url, outgoing).finally(() => agent.destroy())
      response.destroy() // its connection is only the agent's over TLS
      return outcomeOf(response)
    } catch (error) {
      signal.throwIfAborted()
      const reason = inTime.aborted ? 'no response in time' : reasonOf(error as NodeJS.ErrnoException)
      return { outcome: 'failed', reason, retryAfterMs: 0 }
    }
  }
}

function signatureOf(content: string, secret: Buffer): string {
  return `v1,${createHmac('sha256', secret).update(content).digest('base64')}`
}

function outcomeOf({ statusCode, headers }: IncomingMessage): Answer {
  const status = Number(statusCode)
  const reason = `status ${status}`
  if (status >= 200 && status < 300) return { outcome: 'delivered', reason }
  if (status === 410) return { outcome: 'gone', reason }
  const retryAfter = String(headers['retry-after'])
  return { outcome: 'failed', reason, retryAfterMs: retryAfterMs(retryAfter, LONGEST_RETRY_AFTER_MS) }
}

/** The first line of the message, which is empty if several addresses of the host have failed. */
function reasonOf({ message, code }: NodeJS.ErrnoException): string {
  return /.*/.exec(message)?.[0] || String(code)
}
