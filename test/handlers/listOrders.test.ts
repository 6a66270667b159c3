import t from 'tap'
import { authorization, build } from '../fixtures/app.ts'

t.test('a list of many pages is one array, even if whole pages are cancelled', async (t) => {
  const ids = Array.from({ length: 5000 }, (_, index) => index)
  const records = ids.map((id) => (id >= 1000 && id < 4100 ? `{"id":${id},"status":"cancelled"}` : `{"id":${id}}`))
  const app = await build(t, { records })
  const response = await app.inject({ url: '/v1/store/orders', headers: { authorization } })
  t.equal(response.statusCode, 200)
  const expected = ids.filter((id) => id < 1000 || id >= 4100).map((id) => ({ id }))
  t.strictSame(response.json(), expected)
  t.equal(response.headers['content-length'], String(response.body.length))
})
