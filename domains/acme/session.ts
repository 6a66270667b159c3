// How acme-client's requests go out, and how each failure comes back: as an IssueError.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Agent } from 'node:https'
import { axios } from 'acme-client'
import { IssueError } from '../certificates/certificate.ts'
import { refusal } from './problem.ts'

/** What holds for all requests of a conversation with an authority: acme-client has no options for it. */
export interface Conversation {
  /** That a certificate is asked for. */
  host: string
  httpsAgent: Agent
  signal: AbortSignal
  /** For the conversation as a whole. */
  timeoutMs: number
}

/** No authority asks for more, and one that writes a date wrong must not stop a domain for good. */
const LONGEST_RETRY_AFTER_MS = 30 * 24 * 3_600_000

const conversations = new AsyncLocalStorage<Conversation>()
const current = () => conversations.getStore() as Conversation

// Its own interceptors sleep and ask again after a 429 or 5xx, and make a TypeError of an authority that is down.
axios.interceptors.request.clear()
axios.interceptors.response.clear()

axios.interceptors.request.use((config) => {
  const { httpsAgent, signal } = current()
  return Object.assign(config, { httpsAgent, signal })
})

axios.interceptors.response.use(
  (answer) => {
    const { status, headers, data } = answer
    // After a bad nonce acme-client asks again (RFC 8555, section 6.5).
    if (status < 400 || data?.type === 'urn:ietf:params:acme:error:badNonce') return answer
    throw refusal(current().host, data, { status, retryAfterMs: millisecondsOf(String(headers['retry-after'])) })
  },
  (error: Error) => {
    throw new IssueError({ code: 'ca_unavailable', detail: error.message })
  },
)

/** @throws IssueError */
export async function converse<T>(conversation: Conversation, talk: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // It is read at the end, too: a timeout that only `any` knows may be collected and never come (nodejs/node#57736).
  const limit = AbortSignal.timeout(conversation.timeoutMs)
  const signal = AbortSignal.any([conversation.signal, limit])
  try {
    return await conversations.run({ ...conversation, signal }, () => talk(signal))
  } catch (error) {
    if (limit.aborted || conversation.signal.aborted) {
      throw new IssueError({ code: 'ca_unavailable', detail: 'The authority did not answer in time.' })
    }
    throw error instanceof IssueError ? error : new IssueError({ code: 'ca_refused', detail: (error as Error).message })
  }
}

/** Of a Retry-After (RFC 9110, section 10.2.3): seconds, or a date. */
function millisecondsOf(value: string): number {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS) || 0
}
