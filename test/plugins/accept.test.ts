import t from 'tap'
import { authorization, build } from '../fixtures/app.ts'

const cancel = { method: 'DELETE', url: '/v1/store/orders/1007' } as const

t.test('an Accept that excludes JSON is 406, and nothing is done', async (t) => {
  const app = await build(t)
  for (const accept of ['text/html', 'application/xml, text/*;q=0.5', 'application/json;q=0, */*', '*/*;q=0']) {
    for (const request of [{ url: '/v1/store/orders' }, cancel]) {
      const response = await app.inject({ ...request, headers: { authorization, accept } })
      t.equal(response.statusCode, 406, accept)
      t.strictSame(response.json(), {
        code: 'not_acceptable',
        message: 'Answers are application/json only.',
        status: 406,
      })
    }
  }
  t.equal((await app.inject({ ...cancel, headers: { authorization } })).statusCode, 204)
})

t.test('an Accept that includes JSON is answered', async (t) => {
  const app = await build(t)
  for (const accept of [
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON; q=0.1',
    'text/html, */*;q=0.1',
  ]) {
    const response = await app.inject({ url: '/v1/store/orders', headers: { authorization, accept } })
    t.equal(response.statusCode, 200, accept)
  }
})

t.test('a malformed identifier is 400 whatever is accepted', async (t) => {
  const app = await build(t)
  const headers = { authorization, accept: 'text/html' }
  t.equal((await app.inject({ method: 'DELETE', url: '/v1/store/orders/abc', headers })).statusCode, 400)
})

t.test('the documentation is not JSON, and may be asked for as what it is', async (t) => {
  const app = await build(t)
  t.equal((await app.inject({ url: '/docs/', headers: { accept: 'text/html' } })).statusCode, 200)
})
