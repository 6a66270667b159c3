// The HTTP of acme-client, per session: its TLS trust, its deadline, and every failure as an IssueError.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Agent } from 'node:https'
import { axios } from 'acme-client'
import { retryAfterMs } from '../../http/retry-after.ts'
import { IssueError } from '../certificates/issuer.ts'
import { withTimeout } from '../with-timeout.ts'
import { issueError } from './problem.ts'

/** Applies to all requests of a session with an authority: acme-client has no options for these. */
export interface Session {
  /** The host that the certificate is for. */
  host: string
  httpsAgent: Agent
  signal: AbortSignal
  /** For the session as a whole. */
  timeoutMs: number
  /** For each request. */
  requestTimeoutMs: number
}

/** No authority asks for more, and a malformed date must not stop a domain for good. */
const LONGEST_RETRY_AFTER_MS = 30 * 24 * 3_600_000

const sessions = new AsyncLocalStorage<Session>()
const current = () => sessions.getStore() as Session

// acme-client's own interceptors sleep and retry after a 429 or 5xx, and throw a TypeError when the authority is down.
axios.interceptors.request.clear()
axios.interceptors.response.clear()

axios.interceptors.request.use((config) => {
  const { httpsAgent, signal, requestTimeoutMs } = current()
  return Object.assign(config, { httpsAgent, signal, timeout: requestTimeoutMs })
})

axios.interceptors.response.use(
  (response) => {
    const { status, headers, data } = response
    // acme-client itself retries after a bad nonce (RFC 8555, section 6.5).
    if (status < 400 || data?.type === 'urn:ietf:params:acme:error:badNonce') return response
    throw issueError(current().host, data, {
      status,
      retryAfterMs: retryAfterMs(String(headers['retry-after']), LONGEST_RETRY_AFTER_MS),
    })
  },
  (error: Error) => {
    throw new IssueError({ code: 'ca_unavailable', detail: error.message })
  },
)

/** @throws IssueError */
export async function withSession<T>(session: Session, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = withTimeout(session.signal, session.timeoutMs)
  try {
    return await sessions.run({ ...session, signal }, () => run(signal))
  } catch (error) {
    if (signal.aborted) {
      throw new IssueError({ code: 'ca_unavailable', detail: 'The authority did not answer in time.' })
    }
    throw error instanceof IssueError ? error : new IssueError({ code: 'ca_refused', detail: (error as Error).message })
  }
}
