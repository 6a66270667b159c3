import t, { type Test } from 'tap'
import { createClient } from '../index.ts'
import type { Fetch } from '../platform.ts'
import { retrying, type Sent } from '../retry.ts'
import { type Answer, answering, errorAnswer } from './answering.ts'

const apiKey = 'test-key'
const atOnce = { 'retry-after': '0' }

type Options = Partial<Omit<Parameters<typeof retrying>[0], 'fetch'>>

function send(fetch: Fetch, request: Partial<Sent> = {}, options: Options = {}) {
  const get = { url: 'http://x', method: 'GET', body: null, signal: null, headers: async () => ({}) }
  return retrying({ fetch, retries: 3, maxWaitMs: 30_000, timeoutMs: 30_000, ...options })({ ...get, ...request })
}

/** The delays before each retry when every response is a 503; timers fire at once. */
async function waitsOf(t: Test, retryAfter: string | undefined, others: Options = {}): Promise<number[]> {
  const options = { timeoutMs: 30_001, ...others }
  const waits: number[] = []
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const timed = (done: () => void, ms: number) => ms !== options.timeoutMs && waits.push(ms) && queueMicrotask(done)
  const restore = t.intercept(globalThis, 'setTimeout', { value: timed })
  const answer = await send(async () => new Response(null, { status: 503, headers }), {}, options)
  t.equal(answer.status, 503)
  restore.restore()
  return waits
}

t.test('a request is retried after 408, 429 and what a gateway responds', async (t) => {
  const [busy, ...others] = [429, 408, 502, 503, 504].map((status) => errorAnswer(status, 'unavailable', atOnce))
  const { baseUrl, received } = await answering(t, busy as Answer, ...others, { status: 204 })
  await createClient({ baseUrl, apiKey, retries: 5 }).cancelOrder(1007n)
  t.strictSame(received, Array(6).fill('DELETE /v1/store/orders/1007 Bearer test-key'))
})

t.test('a retry sends the body again, with the headers of that moment', async (t) => {
  const sent: unknown[] = []
  let key = 0
  const fetch: Fetch = async (_url, { body, headers }) => {
    sent.push([body, headers])
    return new Response(null, { status: sent.length < 3 ? 503 : 204, headers: atOnce })
  }
  const headers = async () => ({ authorization: String(++key) })
  const response = await send(fetch, { method: 'DELETE', body: 'reason', headers })
  const attempts = ['1', '2', '3'].map((authorization) => ['reason', { authorization }])
  t.strictSame([response.status, sent], [204, attempts])
})

t.test('after an attempt without a definite response, the repeated cancellation may be its own', async (t) => {
  const gone = errorAnswer(404, 'order_already_cancelled')
  const shipped = errorAnswer(409, 'order_already_shipped')
  for (const [first, last, mayHaveSucceeded] of [
    [errorAnswer(503, 'unavailable', atOnce), gone, true],
    [{ status: 502, headers: atOnce }, gone, true],
    [errorAnswer(429, 'rate_limited', atOnce), gone, false],
    [gone, gone, false],
    [errorAnswer(503, 'unavailable', atOnce), shipped, false],
  ] as const) {
    const { baseUrl } = await answering(t, first, last)
    const code = last === gone ? 'order_already_cancelled' : 'order_already_shipped'
    await t.rejects(createClient({ baseUrl, apiKey }).cancelOrder(1007n), { code, mayHaveSucceeded } as never)
  }
  let attempts = 0
  const lost: Fetch = (url, init) => (attempts++ ? fetch(url, init) : Promise.reject(new TypeError('fetch failed')))
  const { baseUrl } = await answering(t, gone)
  t.intercept(Math, 'random', { value: () => 0 })
  const cancelled = createClient({ baseUrl, apiKey, fetch: lost }).cancelOrder(1007n)
  await t.rejects(cancelled, { mayHaveSucceeded: true } as never)
  const answers = [errorAnswer(503, 'unavailable', atOnce), errorAnswer(429, 'rate_limited', atOnce), gone] as const
  const repeated = createClient({ ...(await answering(t, ...answers)), apiKey }).cancelOrder(1007n)
  await t.rejects(repeated, { mayHaveSucceeded: true } as never, 'whatever is responded later')
})

t.test('the last response is final', async (t) => {
  for (const retries of [undefined, 1, 0]) {
    const { baseUrl, received } = await answering(t, errorAnswer(429, 'rate_limited', atOnce))
    const client = createClient({ baseUrl, apiKey, ...(retries !== undefined && { retries }) })
    await t.rejects(client.listOrders(), { code: 'rate_limited', status: 429 })
    t.equal(received.length, 1 + (retries ?? 3))
  }
})

t.test('no other response is retried', async (t) => {
  for (const status of [400, 401, 404, 409, 500]) {
    const { baseUrl, received } = await answering(t, errorAnswer(status, 'internal_error', atOnce))
    await t.rejects(createClient({ baseUrl, apiKey }).cancelOrder(1007n), { code: 'internal_error', status })
    t.equal(received.length, 1, String(status))
  }
})

t.test('the wait is that of Retry-After, in seconds or as a date', async (t) => {
  t.intercept(Date, 'now', { value: () => Date.parse('2026-12-04T09:00:00Z') })
  t.strictSame(await waitsOf(t, '7'), [7000, 7000, 7000])
  t.strictSame(await waitsOf(t, '0', { retries: 1 }), [0])
  t.strictSame(await waitsOf(t, 'Fri, 04 Dec 2026 09:00:12 GMT', { retries: 1 }), [12_000])
})

t.test('a wait beyond the limit is not started', async (t) => {
  t.strictSame(await waitsOf(t, '31'), [])
  t.strictSame(await waitsOf(t, '2', { maxWaitMs: 1999 }), [])
  t.strictSame(await waitsOf(t, '2', { maxWaitMs: 2000, retries: 1 }), [2000])
})

t.test('without a valid Retry-After, delays are random, up to twice as long each time', async (t) => {
  t.intercept(Math, 'random', { value: () => 0.5 })
  t.strictSame(await waitsOf(t, undefined), [250, 500, 1000])
  t.strictSame(await waitsOf(t, 'soon', { retries: 2 }), [250, 500])
  t.strictSame(await waitsOf(t, undefined, { maxWaitMs: 800 }), [250, 400, 400])
})

t.test('a signal ends a call with its reason: before the response, with it, and in the wait', async (t) => {
  const reason = new Error('No longer needed.')
  for (const moment of ['before', 'with', 'after']) {
    const controller = new AbortController()
    const fetch = async () => {
      if (moment === 'after') setImmediate(() => controller.abort(reason))
      else controller.abort(reason)
      if (moment === 'before') await new Promise(() => {})
      return new Response('busy', { status: 503, headers: { 'retry-after': '20' } })
    }
    t.equal(await send(fetch, { signal: controller.signal }).catch((error) => error), reason, moment)
  }
})

t.test('an aborted signal has no reason on some platforms', async (t) => {
  const controller = new AbortController()
  Object.defineProperty(controller.signal, 'reason', { value: undefined })
  controller.abort()
  const unused = () => t.fail('sent') as never
  await t.rejects(send(unused, { signal: controller.signal }), { name: 'AbortError' })
})

t.test('a finished call leaves no listener on its signal', async (t) => {
  const { signal } = new AbortController()
  const listeners = new Set<unknown>()
  t.intercept(signal, 'addEventListener', { value: (_: string, listener: unknown) => listeners.add(listener) })
  t.intercept(signal, 'removeEventListener', { value: (_: string, listener: unknown) => listeners.delete(listener) })
  const answers = [new Response(null, { status: 503, headers: atOnce }), new Response(null, { status: 204 })]
  await send(async () => answers.shift() as Response, { signal })
  t.equal(listeners.size, 0)
})

t.test('a connection failure is retried if the request may be repeated', async (t) => {
  t.intercept(Math, 'random', { value: () => 0 })
  const failure = new TypeError('fetch failed')
  for (const [method, tries] of Object.entries({ GET: 3, HEAD: 3, DELETE: 3, POST: 1, PUT: 1, PATCH: 1 })) {
    let count = 0
    await t.rejects(send(() => Promise.reject(count++ || failure), { method }, { retries: 2 }))
    t.equal(count, tries, method)
  }
  const answers = [Promise.reject(failure), new Response('late')]
  const response = await send(async () => answers.shift() as Response)
  t.equal(response.body, 'late')
})

t.test('an attempt that takes too long rejects with a TimeoutError, whatever fetch does', async (t) => {
  const forever = new Promise<Response>(() => {})
  const hanging: Record<string, Fetch> = {
    'a fetch that never ends': () => forever,
    'a body that never ends': async () => new Response(new ReadableStream({ pull: () => forever as never })),
    'the body of a transient error': async () =>
      Object.assign(new Response('', { status: 503 }), { text: () => forever }),
  }
  for (const [title, fetch] of Object.entries(hanging)) {
    const signals: AbortSignal[] = []
    const noting: Fetch = (url, init) => {
      signals.push(init.signal as AbortSignal)
      return fetch(url, init)
    }
    const error = { name: 'TimeoutError', message: 'No complete response arrived within 1 ms.' }
    await t.rejects(send(noting, {}, { timeoutMs: 1 }), error, title)
    t.strictSame([signals.length, signals[0]?.aborted], [1, true], `${title}: it is aborted, and not tried again`)
  }
})
