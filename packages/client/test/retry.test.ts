import t, { type Test } from 'tap'
import { createClient } from '../index.ts'
import { type RetryOptions, retrying } from '../retry.ts'
import { answering, errorAnswer } from './answering.ts'

const apiKey = 'test-key'
const atOnce = { 'retry-after': '0' }

/** The delays before each retry when every response is a 503; timers fire at once. */
async function waitsOf(t: Test, retryAfter: string | undefined, options: RetryOptions = {}): Promise<number[]> {
  const waits: number[] = []
  const restore = t.intercept(globalThis, 'setTimeout', {
    value: (done: () => void, ms: number) => {
      waits.push(ms)
      queueMicrotask(done)
    },
  })
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const answer = await retrying(
    async () => new Response(null, { status: 503, headers }),
    options,
  )(new Request('http://x'))
  t.equal(answer.status, 503)
  restore.restore()
  return waits
}

t.test('a request is retried after 429 and 503', async (t) => {
  const busy = errorAnswer(429, 'rate_limited', atOnce)
  const { baseUrl, received } = await answering(t, busy, errorAnswer(503, 'unavailable', atOnce), { status: 204 })
  await createClient({ baseUrl, apiKey }).cancelOrder(1007n)
  t.strictSame(received, Array(3).fill('DELETE /v1/store/orders/1007 Bearer test-key'))
})

t.test('a retry sends the body again', async (t) => {
  const bodies: string[] = []
  const send = retrying(async (request) => {
    bodies.push(await request.text())
    return new Response(null, { status: bodies.length < 3 ? 503 : 204, headers: atOnce })
  })
  const response = await send(new Request('http://x', { method: 'DELETE', body: 'reason' }))
  t.strictSame([response.status, bodies], [204, ['reason', 'reason', 'reason']])
})

t.test('the last response is final', async (t) => {
  const limits: [options: RetryOptions, tries: number][] = [
    [{}, 4],
    [{ retries: 1 }, 2],
    [{ retries: 0 }, 1],
  ]
  for (const [options, tries] of limits) {
    const { baseUrl, received } = await answering(t, errorAnswer(429, 'rate_limited', atOnce))
    const client = createClient({ baseUrl, apiKey, ...options })
    await t.rejects(client.listOrders(), { code: 'rate_limited', status: 429 })
    t.equal(received.length, tries)
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

t.test('a signal ends the wait with its reason', async (t) => {
  const reason = new Error('No longer needed.')
  const controller = new AbortController()
  const fetch = retrying(async () => new Response('busy', { status: 503, headers: { 'retry-after': '20' } }), {})
  const call = fetch(new Request('http://x', { signal: controller.signal }))
  setImmediate(() => controller.abort(reason))
  t.equal(await call.catch((error) => error), reason)
})

t.test('a signal that is already aborted prevents the wait', async (t) => {
  const reason = new Error('No longer needed.')
  const controller = new AbortController()
  const fetch = retrying(async () => {
    controller.abort(reason)
    return new Response(null, { status: 503 })
  }, {})
  const call = fetch(new Request('http://x', { signal: controller.signal }))
  t.equal(await call.catch((error) => error), reason)
})

t.test('a connection failure is retried if the request may be repeated', async (t) => {
  t.intercept(Math, 'random', { value: () => 0 })
  const failure = new TypeError('fetch failed')
  for (const [method, tries] of [
    ['GET', 3],
    ['DELETE', 3],
    ['POST', 1],
  ] as const) {
    let count = 0
    const fetch = retrying(() => Promise.reject(count++ || failure), { retries: 2 })
    await t.rejects(fetch(new Request('http://x', { method })))
    t.equal(count, tries, method)
  }
  const answers = [Promise.reject(failure), new Response('late')]
  const response = await retrying(async () => answers.shift() as Response)(new Request('http://x'))
  t.equal(await response.text(), 'late')
})

t.test('an attempt that takes too long rejects with a TimeoutError', async (t) => {
  const hanging = (request: Request) =>
    new Promise<Response>((_resolve, reject) => {
      const alive = setInterval(() => {}, 1000) // the timeout does not keep the process alive
      request.signal.addEventListener('abort', () => {
        clearInterval(alive)
        reject(request.signal.reason)
      })
    })
  await t.rejects(retrying(hanging, { timeoutMs: 1 })(new Request('http://x')), { name: 'TimeoutError' })
})
