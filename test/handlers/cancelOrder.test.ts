import t from 'tap'
import { authorization, build } from '../fixtures/app.ts'

t.test('cancelling a pending order is answered 204 without a body', async (t) => {
  const app = await build(t)
  const response = await app.inject({ method: 'DELETE', url: '/v1/store/orders/1007', headers: { authorization } })
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
})
