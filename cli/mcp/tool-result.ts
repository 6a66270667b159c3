// The result of a tool: the response of the API, or its error. While a call waits, it reports progress.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { type Fetch, StoreOrdersError } from '../../packages/client/index.ts'

/** Reports what a call waits for. */
const reports = new AsyncLocalStorage<(message: string) => void>()

/** Sends requests and reports each `Retry-After`. */
export const reportingFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init)
  const seconds = response.headers.get('retry-after')
  if (seconds !== null) reports.getStore()?.(`The API asks to wait ${seconds} seconds (status ${response.status}).`)
  return response
}

const ownRepeat =
  'The response to an earlier attempt of this call was lost. That attempt has probably cancelled the order: it is cancelled now.'

const earlierCall =
  'An earlier call of this session with the same arguments succeeded, so this repeat changed nothing: that was your own change.'
/** Of a repeat. */
const goneStatuses = [404, 409, 410]

type Call = ServerContext['mcpReq']

/**
 * The result as text and as an object; an error of the API with its code, message and status.
 * @param isRepeat whether an equal call has succeeded before in this session
 */
export async function toolResult(
  request: Call,
  call: (request: Call) => Promise<object>,
  isRepeat?: () => boolean,
): Promise<CallToolResult> {
  const progressToken = request._meta?.progressToken
  let progress = 0
  const report = (message: string) => {
    if (progressToken === undefined) return
    request.notify({ method: 'notifications/progress', params: { progressToken, progress: ++progress, message } })
  }
  try {
    const value = { ...(await reports.run(report, call, request)) }
    return { content: [text(value)], structuredContent: value }
  } catch (error) {
    if (!(error instanceof StoreOrdersError)) throw reached(error as Error)
    const { code, message, status, attempts, mayHaveSucceeded, retryAfterMs } = error
    const retryAfterSeconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000)
    const succeededBefore = goneStatuses.includes(status) && isRepeat?.()
    const hint = mayHaveSucceeded
      ? { mayHaveSucceeded, hint: ownRepeat }
      : succeededBefore && { succeededBefore, hint: earlierCall }
    return { content: [text({ code, message, status, attempts, retryAfterSeconds, ...hint })], isError: true }
  }
}

/** `fetch` hides the reason in `cause`. */
const reached = ({ message, cause }: Error) =>
  new Error(cause instanceof Error ? `The API cannot be reached: ${cause.message}` : message, { cause })

const text = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) })
