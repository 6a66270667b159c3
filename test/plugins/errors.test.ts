import t from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { ApiError, type ErrorCode, errors } from '../../spec/errors.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { authorization, build, errorOf, storeOf } from '../fixtures/app.ts'

const fault = (properties: object) => Object.assign(new Error('SELECT secret FROM cause'), properties)

const unavailable = 'The orders are not available at the moment. Try again later.'
const thrown: [what: string, value: unknown, code: ErrorCode, message?: string][] = [
  ['an ApiError', new ApiError('order_not_found', 'No such thing.'), 'order_not_found', 'No such thing.'],
  ['an ApiError with a status of 503', new ApiError('unavailable'), 'unavailable'],
  ['a StoreUnavailableError', new StoreUnavailableError('SELECT secret', 2), 'unavailable', unavailable],
  ['an error', fault({}), 'internal_error'],
  ['an error with a status of 502', fault({ statusCode: 502 }), 'internal_error'],
  ['an error with a status of 404', fault({ statusCode: 404 }), 'not_found'],
  ['an error with a status of 408', fault({ statusCode: 408 }), 'request_timeout'],
  ['an error with a status of 413', fault({ statusCode: 413 }), 'payload_too_large'],
  ['an error with a status of 415', fault({ statusCode: 415 }), 'invalid_request'],
  ['an error with a status of 429', fault({ statusCode: 429 }), 'rate_limited'],
  ['an error with a status of 503', fault({ statusCode: 503 }), 'unavailable'],
  ['a text', 'SELECT secret', 'internal_error'],
  ['null', null, 'internal_error'],
]

t.test('anything a handler throws becomes an Error; the cause of a 500 is logged, not sent', async (t) => {
  const { lines, logger } = capturedLog()
  let value: unknown
  const orders = { list: () => Promise.reject(value), close: async () => {} }
  const app = await build(t, { orders: orders as never, logger })
  for (const [what, error, code, message = errors[code].message] of thrown) {
    value = error
    const headers = { authorization, 'x-request-id': what.replaceAll(' ', '-') }
    const response = await app.inject({ url: '/v1/store/orders', headers })
    const { status } = errors[code]
    t.equal(response.statusCode, status, what)
    t.equal(response.headers['content-type'], 'application/json')
    t.strictSame(response.json(), { code, message, status })
    const isUnavailable = error instanceof StoreUnavailableError
    t.equal(response.headers['retry-after'], isUnavailable ? '2' : undefined)
    const logged = lines.find(({ reqId, msg }) => reqId === headers['x-request-id'] && msg === 'request failed')
    const isFault = status >= 500 && !(error instanceof ApiError) && !isUnavailable
    t.equal(logged !== undefined, isFault, `logged: ${what}`)
    if (error instanceof Error && isFault) t.match(logged, { err: { message: error.message, stack: String } })
  }
})

t.test('a malformed URL gets 400, wherever it leads and whatever is accepted', async (t) => {
  const app = await build(t)
  for (const url of ['/nowhere/%zz', '/docs/static/x/%zz']) {
    const response = await app.inject({ url, headers: { accept: 'text/html' } })
    t.strictSame(response.json(), errorOf('invalid_request', 'The URL is not valid.'), url)
  }
})

t.test('a response that violates the document is a 500 if responses are checked', async (t) => {
  const page = { count: 1, length: 11, json: () => Buffer.from(',{"id":"x"}'), hash: () => 'a' }
  const orders = { ...(await storeOf(t)), list: async () => [page] }
  for (const [checkResponses, status] of [
    [true, 500],
    [false, 200],
  ] as const) {
    const app = await build(t, { orders, checkResponses })
    t.equal((await app.inject({ url: '/v1/store/orders', headers: { authorization } })).statusCode, status)
  }
})
