// Retries after connection failures and transient errors. GET, HEAD and DELETE are safe to repeat: a repeated
// cancellation is rejected with `order_already_cancelled`.
import type { PlatformAbortSignal, PlatformRequest, PlatformResponse, ResponseHead } from './platform.ts'

/** The part of `fetch` that the client uses. */
export type Fetch = (request: PlatformRequest) => Promise<PlatformResponse>

export interface RetryOptions {
  /** The number of retries: 3 by default. */
  retries?: number | undefined
  /** The longest wait before a retry, in milliseconds; 30,000 by default. No retry if the response asks for more. */
  maxWaitMs?: number | undefined
  /** How long an attempt may take, its body included, in milliseconds; 30,000 by default. Then it is a TimeoutError. */
  timeoutMs?: number | undefined
}

const FIRST_BACKOFF_MS = 500
const retried = new Set([408, 429, 502, 503, 504])
const repeatable = new Set(['GET', 'HEAD', 'DELETE'])
const attempts = new WeakMap<object, number>()

/** How many attempts a response took. */
export const attemptsOf = (response: ResponseHead) => attempts.get(response) as number

export function retrying(
  fetch: Fetch,
  { retries = 3, maxWaitMs = 30_000, timeoutMs = 30_000 }: RetryOptions = {},
): Fetch {
  return async (request) => {
    const isRepeatable = repeatable.has(request.method)
    for (let attempt = 1; ; attempt++) {
      const timeout = AbortSignal.timeout(timeoutMs)
      // A body can be sent only once: each attempt sends a copy.
      const limited = new Request(request.clone(), { signal: AbortSignal.any([request.signal, timeout]) })
      const [response, failure] = await fetch(limited).then(
        (response) => [response] as const,
        (error: unknown) => [undefined, error] as const,
      )
      if (response) attempts.set(response, attempt)
      const isLast = attempt > retries || !isRepeatable
      const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), maxWaitMs) * Math.random()
      const waitMs = (response && retryAfterMs(response)) ?? backoffMs
      if (response && (isLast || !retried.has(response.status) || waitMs > maxWaitMs)) return response
      if (!response && (isLast || limited.signal.aborted)) throw failure
      await response?.body?.cancel()
      await wait(waitMs, request.signal)
    }
  }
}

/** RFC 9110 10.2.3: whole seconds or an HTTP date. Zero where the date has passed, undefined without either. */
export function retryAfterMs({ headers }: ResponseHead): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

async function wait(ms: number, signal: PlatformAbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
