import t from 'tap'
import { authorization, build, errorOf } from '../fixtures/app.ts'

const headers = { authorization }

t.test('cancelling a pending order gets 204 without a body and removes it from the list', async (t) => {
  const app = await build(t)
  const response = await app.inject({ method: 'DELETE', url: '/v1/store/orders/1007', headers })
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
  t.equal(response.headers['content-type'], undefined)
  const list = await app.inject({ url: '/v1/store/orders', headers })
  t.notOk(list.json().some(({ id }: { id: number }) => id === 1007))
  t.equal(list.json().length, 16)
})

t.test('cancelling a shipped order is rejected with 409, and it stays in the list', async (t) => {
  const app = await build(t)
  const response = await app.inject({ method: 'DELETE', url: '/v1/store/orders/1006', headers })
  t.equal(response.statusCode, 409)
  t.strictSame(
    response.json(),
    errorOf('order_already_shipped', 'The order has already shipped and cannot be cancelled.'),
  )
  const list = await app.inject({ url: '/v1/store/orders', headers })
  t.ok(list.json().some(({ id }: { id: number }) => id === 1006))
})

t.test('adjacent identifiers beyond 2^53 are different orders', async (t) => {
  const records = ['{"id":9007199254740992}', '{"id":9007199254740993}']
  const app = await build(t, { records })
  const cancelled = await app.inject({ method: 'DELETE', url: '/v1/store/orders/9007199254740993', headers })
  t.equal(cancelled.statusCode, 204)
  const list = await app.inject({ url: '/v1/store/orders', headers })
  t.equal(list.body, '[{"id":9007199254740992}]')
})

t.test('every int64 is looked up', async (t) => {
  const app = await build(t, { records: ['{"id":-9223372036854775808}', '{"id":0}', '{"id":-1,"complete":true}'] })
  const statuses: Record<string, number> = {
    '-9223372036854775808': 204,
    '9223372036854775807': 404,
    '0': 204,
    '-1': 409,
    '1': 404,
    '%31': 404, // a percent-encoded digit is that digit, RFC 3986 6.2.2.2
  }
  for (const [id, status] of Object.entries(statuses)) {
    const response = await app.inject({ method: 'DELETE', url: `/v1/store/orders/${id}`, headers })
    t.equal(response.statusCode, status, id)
  }
})

t.test('anything but a plain int64 is rejected with 400', async (t) => {
  const app = await build(t)
  const malformed = '1e3 0x10 007 3.0 +3 -0 %20 %203 3%20 - Infinity NaN null abc 1,2 1%2F2 %00 %E2%91%A0'.split(' ')
  const outOfRange = ['9223372036854775808', '-9223372036854775809', '1'.repeat(10_000)]
  for (const id of [...malformed, '', ...outOfRange]) {
    const response = await app.inject({ method: 'DELETE', url: `/v1/store/orders/${id}`, headers })
    t.equal(response.statusCode, 400, id.slice(0, 30))
    t.strictSame(
      response.json(),
      errorOf('invalid_request', 'path orderId must be a 64-bit integer in plain decimal digits.'),
    )
  }
})

t.test('of 100 concurrent cancellations, one gets 204 and 99 get 404', async (t) => {
  const app = await build(t)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const cancel = () => fetch(`${origin}/v1/store/orders/1007`, { method: 'DELETE', headers })
  const responses = await Promise.all(Array.from({ length: 100 }, cancel))
  const bodies = await Promise.all(responses.map((response) => response.text()))
  t.equal(responses.filter(({ status }) => status === 204).length, 1)
  t.equal(responses.filter(({ status }) => status === 404).length, 99)
  t.equal(bodies.filter((body) => body.includes('"order_already_cancelled"')).length, 99)
})
