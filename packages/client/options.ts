// The options of a client, checked when it is created.
import type { Fetch } from './platform.ts'

export interface ClientOptions {
  /** The address of the API, which ends in `/v1`: `https://api.example.com/v1`. */
  baseUrl: string
  /** Goes with every request as its bearer token. A function is called before every attempt, for keys that rotate. */
  apiKey: string | (() => string | Promise<string>)
  /** Sends the requests; the `fetch` of the platform unless another is given. */
  fetch?: Fetch | undefined
  /** The number of retries: 3 by default. */
  retries?: number | undefined
  /** The longest wait before a retry, in milliseconds; 30,000 by default. No retry if the response asks for more. */
  maxWaitMs?: number | undefined
  /** How long an attempt may take, its body included, in milliseconds; 30,000 by default. Then it is a TimeoutError. */
  timeoutMs?: number | undefined
}

/** Timers of more would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1
const duration = `milliseconds, at most ${TIMER_MAX_MS}`

const isWithin = (value: unknown, least: number, most: number) =>
  typeof value === 'number' && value >= least && value <= most

const checks: Record<keyof ClientOptions, [isValid: (value: unknown) => boolean, expected: string]> = {
  baseUrl: [isBaseUrl, 'an http or https address without a query, such as https://api.example.com/v1'],
  apiKey: [(value) => typeof value === 'function' || isKey(value), 'a key of visible ASCII characters, or a function'],
  fetch: [(value) => typeof value === 'function', 'a function like the fetch of browsers'],
  retries: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a whole number of 0 or more'],
  maxWaitMs: [(value) => isWithin(value, 0, TIMER_MAX_MS), duration],
  timeoutMs: [(value) => isWithin(value, 1, TIMER_MAX_MS), duration],
}

export type Settings = ReturnType<typeof checked>

/** @throws TypeError that names the first option that is missing or invalid */
export function checked(options: ClientOptions) {
  const { retries = 3, maxWaitMs = 30_000, timeoutMs = 30_000, baseUrl, apiKey } = options
  // Looked up for each request, so that a test may replace it later.
  const { fetch = 'fetch' in globalThis ? (((url, init) => globalThis.fetch(url, init)) as Fetch) : undefined } =
    options
  const all = { baseUrl, apiKey, fetch: fetch as Fetch, retries, maxWaitMs, timeoutMs }
  for (const [name, [isValid, expected]] of Object.entries(checks))
    if (!isValid(all[name as keyof ClientOptions])) throw new TypeError(`createClient needs ${name}: ${expected}.`)
  return all
}

/** @throws TypeError when a function returned what is not a key */
export async function keyOf(apiKey: ClientOptions['apiKey']): Promise<string> {
  const key = typeof apiKey === 'function' ? await apiKey() : apiKey
  if (!isKey(key)) throw new TypeError('The function apiKey must return a key of visible ASCII characters.')
  return key
}

const isKey = (value: unknown) => typeof value === 'string' && /^[!-~]+$/.test(value)

/** In browsers, it may be relative to the page. */
function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || /[?#\s]/.test(value)) return false
  try {
    return /^https?:$/.test(new URL(value, (globalThis as { location?: { href: string } }).location?.href).protocol)
  } catch {
    return false
  }
}
