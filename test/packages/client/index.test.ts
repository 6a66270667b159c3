import { modelOf } from 'exact-openapi/model'
import t from 'tap'
import { createClient, type ResponseInfo } from '../../../packages/client/index.ts'
import { checked } from '../../../packages/client/options.ts'
import { answering, failureOf, json } from '../../../packages/client/test/answering.ts'
import { loadDocument } from '../../../spec/document.ts'
import { key } from '../../fixtures/app.ts'
import { connect } from './connect.ts'

t.test('there is a method for every operation of the document, and no other', async (t) => {
  const operationIds = modelOf(loadDocument()).operations.map(({ id }) => id)
  t.strictSame(Object.keys(createClient({ baseUrl: 'http://x/v1', apiKey: key })).sort(), operationIds.sort())
})

t.test('an unchanged list is the same array, and is not sent again', async (t) => {
  const { client, statuses } = await connect(t)
  const first = await client.listOrders()
  t.equal(await client.listOrders(), first)
  await client.cancelOrder(1007n)
  const second = await client.listOrders()
  const reported: number[] = []
  t.equal(await client.listOrders({ onResponse: ({ status }) => reported.push(status) }), second)
  t.strictSame([statuses, reported], [[200, 304, 204, 200, 304], [304]])
  t.equal(second.length, first.length - 1)
  t.ok([first, ...first, second].every(Object.isFrozen))
})

t.test('an identifier that is not a 64-bit bigint is not sent', async (t) => {
  const { client, statuses } = await connect(t)
  const message = (name: string) => new TypeError(`${name} must be a 64-bit integer, as a bigint.`)
  await t.rejects(client.cancelOrder(1007 as never), message('orderId'))
  await t.rejects(client.getPetById(2n ** 63n), message('petId'))
  t.strictSame(statuses, [])
})

t.test('every option is checked, and named', async (t) => {
  const extended = ['?shop=1', '#a', '\n'].map((end) => `http://x/v1${end}`)
  const wrong: Record<string, unknown[]> = {
    baseUrl: [undefined, '', '/v1', 'ftp://x/v1', ...extended, new URL('http://x')],
    apiKey: [undefined, '', 5, 'two words', 'key\n', 'schlüssel'],
    fetch: [5, {}],
    retries: [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, '3'],
    maxWaitMs: [Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 31],
    timeoutMs: [Number.NaN, 0, Number.POSITIVE_INFINITY, 2 ** 31, '30'],
  }
  const right = { baseUrl: 'http://x/v1', apiKey: key }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const create = () => createClient({ ...right, [name]: value } as never)
      t.throws(create, { name: 'TypeError', message: new RegExp(`^createClient needs ${name}: `) }, `${name}: ${value}`)
    }
  }
  createClient({ ...right, retries: 0, maxWaitMs: 0, timeoutMs: 1, fetch: undefined })
  t.match(checked({ ...right, maxWaitMs: 2 ** 31 - 1 }), { retries: 3, maxWaitMs: 2 ** 31 - 1, timeoutMs: 30_000 })
  t.equal(checked(right).maxWaitMs, 30_000)
})

t.test('in a browser, the base URL may be relative to the page', async (t) => {
  t.intercept(globalThis as never, 'location', { value: { href: 'https://shop.example/orders' }, configurable: true })
  createClient({ baseUrl: '/v1', apiKey: key })
})

t.test('a fetch that replaces that of the platform later is used', async (t) => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: key, retries: 0 })
  t.intercept(globalThis, 'fetch', { value: async () => new Response(null, { status: 204 }) })
  t.equal(await client.cancelOrder(1007n), undefined)
})

t.test('a platform without fetch needs one', async (t) => {
  const { fetch } = globalThis
  delete (globalThis as { fetch?: unknown }).fetch
  t.teardown(() => Object.assign(globalThis, { fetch }))
  t.throws(() => createClient({ baseUrl: 'http://x/v1', apiKey: key }), /^createClient needs fetch: /)
})

t.test('the key may be a function, which each attempt calls', async (t) => {
  const busy = { status: 503, headers: { 'retry-after': '0' } }
  const { baseUrl, received } = await answering(t, busy, json(200, '[]'))
  let calls = 0
  await createClient({ baseUrl, apiKey: async () => `key-${++calls}` }).listOrders()
  t.strictSame(received, ['GET /v1/store/orders Bearer key-1', 'GET /v1/store/orders Bearer key-2'])
  const wrong = { name: 'TypeError', message: /^The function apiKey must/ }
  await t.rejects(createClient({ baseUrl, apiKey: () => 'key\n' }).listOrders(), wrong)
  const failing = createClient({ baseUrl, apiKey: () => Promise.reject(new Error('vault')) })
  await t.rejects(failing.listOrders(), { message: 'vault' })
  t.equal(received.length, 2)
})

t.test('the request id, the quota and the attempts of a response are reported, also when it is an error', async (t) => {
  const headers = { 'x-request-id': 'abc', ratelimit: '"default";r=0;t=42' }
  const busy = { status: 502, headers: { 'retry-after': '0' } }
  const shipped = { code: 'order_already_cancelled', message: 'Gone.', status: 404 }
  const { baseUrl } = await answering(t, json(200, '[]'), busy, json(404, JSON.stringify(shipped), headers))
  const client = createClient({ baseUrl, apiKey: key })
  const reported: unknown[] = []
  const onResponse = ({ headers, ...info }: ResponseInfo) => {
    reported.push(info)
    t.equal(headers.get('X-Request-Id') ?? undefined, info.requestId)
  }
  await client.listOrders({ onResponse })
  const info = { requestId: 'abc', rateLimit: { remaining: 0, resetSeconds: 42 }, attempts: 2, status: 404 }
  t.match(await failureOf(() => client.cancelOrder(1n, { onResponse })), info)
  t.strictSame(reported, [{ status: 200, requestId: undefined, rateLimit: undefined, attempts: 1 }, info])
})
