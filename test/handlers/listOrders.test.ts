import t from 'tap'
import { authorization, build } from '../fixtures/app.ts'

const headers = { authorization }

t.test('the list has all but cancelled orders, in order of placement, without absent fields', async (t) => {
  const records = [
    '{"id":9223372036854775807,"petId":-5,"quantity":2,"shipDate":"2026-12-04T10:00:00+01:00","complete":false}',
    '{"id":3,"status":"cancelled"}',
    '{"id":-7}',
    '{"id":2,"complete":true,"quantity":0}',
  ]
  const app = await build(t, { records })
  const response = await app.inject({ url: '/v1/store/orders', headers })
  t.equal(response.statusCode, 200)
  t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  const orders = [
    '{"id":9223372036854775807,"petId":-5,"quantity":2,"shipDate":"2026-12-04T09:00:00.000Z","complete":false}',
    '{"id":-7}',
    '{"id":2,"quantity":0,"complete":true}',
  ]
  t.equal(response.body, `[${orders}]`)
})

t.test('a list without orders is an empty array', async (t) => {
  for (const records of [[], ['{"id":1,"status":"cancelled"}']]) {
    const app = await build(t, { records })
    const response = await app.inject({ url: '/v1/store/orders', headers })
    t.equal(response.statusCode, 200)
    t.equal(response.body, '[]')
  }
})

t.test('a list of many pages is one array, even if whole pages are cancelled', async (t) => {
  const ids = Array.from({ length: 5000 }, (_, index) => index)
  const records = ids.map((id) => (id >= 1000 && id < 4100 ? `{"id":${id},"status":"cancelled"}` : `{"id":${id}}`))
  const app = await build(t, { records })
  const response = await app.inject({ url: '/v1/store/orders', headers })
  const expected = ids.filter((id) => id < 1000 || id >= 4100).map((id) => ({ id }))
  t.strictSame(response.json(), expected)
  t.equal(response.headers['content-length'], String(response.body.length))
})

t.test('unknown query parameters are ignored', async (t) => {
  const app = await build(t, { records: ['{"id":1}'] })
  const response = await app.inject({ url: '/v1/store/orders?page=2&limit=x&status=pending', headers })
  t.equal(response.statusCode, 200)
  t.equal(response.body, '[{"id":1}]')
})
