// Sends a request, and again after connection failures and transient errors. GET, HEAD and DELETE are safe to repeat: a
// repeated cancellation is rejected with `order_already_cancelled`.
import type { Settings } from './options.ts'
import type { Fetch, FetchInit, FetchResponse, PlatformAbortSignal, ResponseHead } from './platform.ts'
import { isJson } from './read.ts'

export interface Sent {
  url: string
  method: string
  body: FetchInit['body']
  signal: PlatformAbortSignal | null
  /** The headers of an attempt. */
  headers(): Promise<Record<string, string>>
}

/** A complete response. */
export interface Received extends ResponseHead {
  /** Text if its type says so or it is an error, otherwise bytes. */
  readonly body: string | Uint8Array
  readonly attempts: number
  /** Whether an earlier attempt may have taken effect: its response was lost, or came from a server that had none itself. */
  readonly mayHaveSucceeded: boolean
}

const FIRST_BACKOFF_MS = 500
const retried = new Set([408, 429, 502, 503, 504])
const repeatable = new Set(['GET', 'HEAD', 'DELETE'])

export function retrying({ fetch, retries, maxWaitMs, timeoutMs }: Omit<Settings, 'baseUrl' | 'apiKey'>) {
  return async (request: Sent): Promise<Received> => {
    const attempts = repeatable.has(request.method) ? retries + 1 : 1
    let mayHaveSucceeded = false
    for (let attempt = 1; ; attempt++) {
      const headers = await request.headers()
      const outcome = await attemptOnce(fetch, { ...request, headers }, timeoutMs)
      const { response, body } = outcome
      const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), maxWaitMs) * Math.random()
      const waitMs = (response && retryAfterMs(response)) ?? backoffMs
      const isFinal = attempt === attempts || outcome.isAborted || (response && !retried.has(response.status))
      if (isFinal || waitMs > maxWaitMs) {
        if (!response || body === undefined) throw outcome.error
        return { status: response.status, headers: response.headers, body, attempts: attempt, mayHaveSucceeded }
      }
      mayHaveSucceeded ||= response?.status !== 429
      await wait(waitMs, request.signal)
      /* c8 ignore next 2 -- the loop ends by returning or throwing */
    }
  }
}

interface Attempt {
  response?: FetchResponse
  /** Undefined if it did not arrive whole. */
  body?: string | Uint8Array
  error?: unknown
  /** Whether the signal or the timeout ended it. */
  isAborted: boolean
}

/** Combines signals by itself: Safari before 17.4, Chrome before 116 and React Native have no AbortSignal.any. */
async function attemptOnce(
  fetch: Fetch,
  { url, method, headers, body, signal }: Omit<Sent, 'headers'> & { headers: Record<string, string> },
  timeoutMs: number,
): Promise<Attempt> {
  const controller = new AbortController()
  const result: Attempt = { isAborted: false }
  // Some implementations reject with an error of their own, or never.
  let reject: ((reason: unknown) => void) | undefined
  const aborted = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt
  })
  aborted.catch(() => {})
  const abort = (reason: unknown) => {
    result.isAborted = true
    controller.abort(reason)
    reject?.(reason)
  }
  const timer = setTimeout(() => abort(timeoutError(timeoutMs)), timeoutMs)
  const stop = () => abort(reasonOf(signal))
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    // The API never redirects: a followed redirect may turn a DELETE into a GET, whose response says nothing about it.
    const send = () => fetch(url, { method, headers, body, signal: controller.signal, redirect: 'manual' })
    const response = await Promise.race([aborted, result.isAborted ? aborted : send()])
    result.response = response
    result.body = await Promise.race([aborted, bodyOf(response)])
  } catch (error) {
    result.error = error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
  return result
}

async function bodyOf(response: FetchResponse): Promise<string | Uint8Array> {
  const type = response.headers.get('content-type') ?? 'text/plain'
  const isText = response.status >= 300 || isJson(type) || /^text\//i.test(type)
  return isText ? response.text() : new Uint8Array(await response.arrayBuffer())
}

/** Named like the error of `AbortSignal.timeout`. */
const timeoutError = (ms: number) =>
  Object.assign(new Error(`No complete response arrived within ${ms} ms.`), { name: 'TimeoutError' })

/** React Native's signals have no reason. */
const reasonOf = (signal: PlatformAbortSignal | null): unknown =>
  signal?.reason ?? Object.assign(new Error('The call was aborted.'), { name: 'AbortError' })

/** RFC 9110 10.2.3: whole seconds or an HTTP date. Zero where the date has passed, undefined without either. */
export function retryAfterMs({ headers }: ResponseHead): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

async function wait(ms: number, signal: PlatformAbortSignal | null): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    /* c8 ignore next -- aborted between the attempt and the wait */
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end, { once: true })
  })
}
