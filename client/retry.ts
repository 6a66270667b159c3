// Retries a request after 429 and 503, when the server was busy or unavailable. A DELETE that got 503 may nevertheless
// have taken effect.
import type { PlatformAbortSignal, PlatformRequest, PlatformResponse, ResponseHead } from './platform.ts'

/** The part of `fetch` that the client uses. */
export type Fetch = (request: PlatformRequest) => Promise<PlatformResponse>

export interface RetryOptions {
  /** How many times at most a request is sent again; 3 unless another number is given, 0 for never. */
  retries?: number | undefined
  /** The longest wait before a try, in milliseconds; 30,000 by default. No retry if the response asks for more. */
  maxWaitMs?: number | undefined
}

const FIRST_BACKOFF_MS = 500

export function retrying(fetch: Fetch, { retries = 3, maxWaitMs = 30_000 }: RetryOptions): Fetch {
  return async (request) => {
    let response = await fetch(request)
    for (let retry = 0; retry < retries && isBusy(response); retry++) {
      const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** retry, maxWaitMs) * Math.random()
      const waitMs = retryAfterMs(response) ?? backoffMs
      if (waitMs > maxWaitMs) break
      await response.body?.cancel()
      await wait(waitMs, request.signal)
      response = await fetch(request)
    }
    return response
  }
}

function isBusy({ status }: ResponseHead): boolean {
  return status === 429 || status === 503
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
