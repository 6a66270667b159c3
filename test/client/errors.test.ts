import t from 'tap'
import { createClient, StoreOrdersError, UnexpectedAnswerError } from '../../client/index.ts'
import { key } from '../fixtures/app.ts'
import { answering } from './answering.ts'
import { connect, failureOf } from './connect.ts'

t.test('a refused call rejects with the code, the status, the message and the id of the request', async (t) => {
  const { app, client } = await connect(t)
  const stranger = createClient({ baseUrl: `${app.listeningOrigin}/v1/`, apiKey: 'wrong' })
  const refused: [call: () => Promise<unknown>, code: string, status: number, message: string][] = [
    [() => client.cancelOrder(1n), 'order_not_found', 404, 'No order has this identifier.'],
    [() => client.cancelOrder(1004n), 'order_already_cancelled', 404, 'The order has already been cancelled.'],
    [
      () => client.cancelOrder(1006n),
      'order_already_shipped',
      409,
      'The order has already shipped and cannot be cancelled.',
    ],
    [
      () => client.cancelOrder(2n ** 63n),
      'invalid_request',
      400,
      'orderId must be a 64-bit integer in plain decimal digits.',
    ],
    [() => client.getPetById(1n), 'pet_not_found', 404, 'No order names a pet with this identifier.'],
    [() => stranger.listOrders(), 'unauthorized', 401, 'The API key is not valid.'],
  ]
  for (const [call, code, status, message] of refused) {
    const error = await failureOf(call)
    t.ok(error instanceof StoreOrdersError, code)
    t.match(error, { name: 'StoreOrdersError', code, status, message, requestId: /^[0-9a-f-]{36}$/ })
  }
})

t.test('an answer that is not one of the API is told from a refusal', async (t) => {
  const page = '<html>Bad gateway</html>'
  const html = { 'content-type': 'text/html' }
  const answers = [
    { status: 502, headers: html, body: page },
    { status: 502, headers: { 'content-type': 'application/json' }, body: '{"message":"Bad gateway"}' },
    { status: 502, headers: html },
    { status: 200, headers: html, body: page },
    { status: 200, headers: html, body: '' },
    { status: 204, headers: html },
    { status: 304, headers: html },
  ] as const
  for (const answer of answers) {
    const { baseUrl } = await answering(t, answer)
    const error = await failureOf(() => createClient({ baseUrl, apiKey: key }).listOrders())
    const { status, headers } = answer
    const message = `The answer is not one of the Store Orders API: status ${status}, ${headers['content-type']}`
    t.ok(error instanceof UnexpectedAnswerError)
    t.match(error, { name: 'UnexpectedAnswerError', message, status })
  }
  const { baseUrl } = await answering(t, answers[0])
  t.match(await failureOf(() => createClient({ baseUrl, apiKey: key }).cancelOrder(1n)), { status: 502, body: page })
})

t.test('a cancel has worked only where the answer is 204', async (t) => {
  const { baseUrl } = await answering(t, { status: 200, body: '{}' })
  const error = await failureOf(() => createClient({ baseUrl, apiKey: key }).cancelOrder(1n))
  t.ok(error instanceof UnexpectedAnswerError)
})

t.test('a call rejects with the reason of its signal', async (t) => {
  const { client, statuses } = await connect(t)
  const reason = new Error('No longer needed.')
  const signal = AbortSignal.abort(reason)
  const calls = [
    () => client.listOrders({ signal }),
    () => client.cancelOrder(1007n, { signal }),
    () => client.getPetById(504n, { signal }),
  ]
  for (const call of calls) {
    t.equal(await failureOf(call), reason)
  }
  t.strictSame(statuses, [])
})

t.test('a signal ends a call that waits for its answer', async (t) => {
  const controller = new AbortController()
  const reason = new Error('No longer needed.')
  const { client } = await connect(t, {
    fetch: (request) => {
      const answer = fetch(request)
      controller.abort(reason)
      return answer
    },
  })
  t.equal(await failureOf(() => client.listOrders({ signal: controller.signal })), reason)
})

t.test('what fetch rejects with is passed on', async (t) => {
  const { app, client } = await connect(t)
  await app.close()
  t.match(await failureOf(() => client.listOrders()), { name: 'TypeError', cause: { code: 'ECONNREFUSED' } })
  const cause = new Error('No network.')
  const offline = createClient({ baseUrl: 'http://x/v1', apiKey: key, fetch: () => Promise.reject(cause) })
  t.equal(await failureOf(() => offline.listOrders()), cause)
})
