import t from 'tap'
import { createClient, StoreOrdersError, UnexpectedResponseError } from '../../../packages/client/index.ts'
import { answering, errorAnswer, failureOf, json } from '../../../packages/client/test/answering.ts'
import { errors } from '../../../spec/errors.ts'
import { key } from '../../fixtures/app.ts'
import { connect } from './connect.ts'

t.test('a rejected call has the code, the status, the message and the id of the request', async (t) => {
  const { app, client } = await connect(t)
  const stranger = createClient({ baseUrl: `${app.listeningOrigin}/v1/`, apiKey: 'wrong' })
  const refused: [call: () => Promise<unknown>, code: string, status: number, message: string][] = [
    [() => client.cancelOrder(1004n), 'order_already_cancelled', 404, errors.order_already_cancelled.message],
    [() => stranger.listOrders(), 'unauthorized', 401, 'The API key is not valid.'],
  ]
  for (const [call, code, status, message] of refused) {
    const error = await failureOf(call)
    t.ok(error instanceof StoreOrdersError, code)
    t.match(error, { name: 'StoreOrdersError', code, status, message, requestId: /^[\w-]{22}-\d+$/ })
  }
})

t.test('a rejection has the wait of Retry-After', async (t) => {
  const waits = { 120: 120_000, 'Thu, 01 Jan 2026 00:00:00 GMT': 0, soon: undefined, '': undefined }
  for (const [retryAfter, retryAfterMs] of Object.entries(waits)) {
    const headers = { 'x-request-id': 'abc', ...(retryAfter && { 'retry-after': retryAfter }) }
    const { baseUrl } = await answering(t, errorAnswer(503, 'unavailable', headers))
    const error = await failureOf(() => createClient({ baseUrl, apiKey: key, retries: 0 }).listOrders())
    t.ok(error instanceof StoreOrdersError)
    t.match(error, { code: 'unavailable', requestId: 'abc', retryAfterMs }, retryAfter)
  }
})

t.test('an error that a program creates has the given properties', async (t) => {
  const refusal = new StoreOrdersError({ code: 'order_already_shipped', message: 'Too late.', status: 409 })
  t.match(refusal, { code: 'order_already_shipped', message: 'Too late.', status: 409 })
  t.strictSame([refusal.requestId, refusal.retryAfterMs], [undefined, undefined])
  t.match(refusal, { attempts: 1, mayHaveSucceeded: false })
  const cause = new Error('No JSON.')
  const unexpected = new UnexpectedResponseError({ status: 200, contentType: 'text/html', body: '<p>' }, { cause })
  const message = 'The response is not from the Store Orders API: status 200, text/html'
  t.match(unexpected, { message, status: 200, body: '<p>', cause })
  t.match(new UnexpectedResponseError({ status: 200 }).message, /no content type$/)
})

t.test('a redirect is not followed: it could turn a cancellation into a GET', async (t) => {
  const redirect = { status: 303, headers: { location: '/v1/elsewhere' } }
  const { baseUrl, received } = await answering(t, redirect, { status: 204 })
  const error = await failureOf(() => createClient({ baseUrl, apiKey: key }).cancelOrder(1007n))
  t.ok(error instanceof UnexpectedResponseError)
  t.equal(received.length, 1)
})

t.test('an incomplete response rejects with the error of fetch', async (t) => {
  const { baseUrl } = await answering(t, json(200, '[{"id":5}', { 'content-length': '100', connection: 'close' }))
  t.match(await failureOf(() => createClient({ baseUrl, apiKey: key }).listOrders()), { name: 'TypeError' })
})

t.test('an error of fetch is passed on', async (t) => {
  const cause = new Error('No network.')
  const offline = createClient({ baseUrl: 'http://x/v1', apiKey: key, retries: 0, fetch: () => Promise.reject(cause) })
  t.equal(await failureOf(() => offline.listOrders()), cause)
})
