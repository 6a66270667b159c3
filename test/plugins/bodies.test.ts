import t from 'tap'
import { authorization } from '../fixtures/app.ts'
import { buildDashboard, dashboardAuthorization } from '../fixtures/dashboard.ts'
import { exchange, parseAnswer } from '../fixtures/raw.ts'

const tooLarge = { code: 'payload_too_large', message: 'The request is too large.', status: 413 }
const invalid = (message: string) => ({ code: 'invalid_request', message, status: 400 })

t.test('a body is JSON, whatever its Content-Type says', async (t) => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/xml',
    ';;',
    '',
  ]) {
    const { call } = await buildDashboard(t, {})
    const response = await call('POST', '/domains', '{"domain":"docs.shop.test"}', { 'content-type': type })
    t.equal(response.statusCode, 201, type)
  }
})

t.test('a body that is not as the document says is 400, with what is wrong', async (t) => {
  const { call, registry } = await buildDashboard(t)
  const refused: Record<string, [body: string | undefined, message: string][]> = {
    '/domains/shop.test/redirect': [
      ['{"status":"301"}', 'body/status must be integer.'],
      ['{"status":true}', 'body/status must be integer.'],
      ['{"status":null}', 'body/status must be integer.'],
      ['{"status":301.5}', 'body/status must be integer.'],
      ['{"status":303}', 'body/status must be equal to one of the allowed values.'],
      ['{"status":301,"to":"evil.test"}', 'body must NOT have additional properties.'],
      ['{"__proto__":{"status":302}}', 'body must NOT have additional properties.'],
    ],
    '/primary': [
      [undefined, 'body must be object.'],
      ['', 'body must be object.'],
      ['null', 'body must be object.'],
      ['[]', 'body must be object.'],
      ['"old.shop.test"', 'body must be object.'],
      ['{}', "body must have required property 'domain'."],
      ['{"domain":5}', 'body/domain must be string.'],
      ['{"domain":["old.shop.test"]}', 'body/domain must be string.'],
      ['{"domain":""}', 'body/domain must NOT have fewer than 1 characters.'],
      [`{"domain":"${'a'.repeat(1001)}"}`, 'body/domain must NOT have more than 1000 characters.'],
      ['{domain:"old.shop.test"}', 'The body is not JSON.'],
      ['domain=old.shop.test', 'The body is not JSON.'],
      ['{"domain":"old.shop.test"', 'The body is not JSON.'],
    ],
  }
  for (const [path, bodies] of Object.entries(refused)) {
    for (const [body, message] of bodies) {
      const response = await call('PUT', path, body)
      t.equal(response.statusCode, 400, String(body))
      t.strictSame(response.json(), invalid(message), String(body))
    }
  }
  const { primary, domains } = registry.list()
  t.strictSame(
    [primary, domains.map(({ redirect }) => redirect?.status)],
    ['docs.shop.test', [undefined, 308, undefined, undefined, undefined]],
  )
})

t.test('a body that says nothing of a status redirects with 301', async (t) => {
  const { call } = await buildDashboard(t)
  const response = await call('PUT', '/domains/shop.test/redirect', '{}')
  t.match(response.json(), { redirect: { to: 'docs.shop.test', status: 301 } })
})

t.test('a large body is 413', async (t) => {
  const { app, call } = await buildDashboard(t)
  const fits = `{"domain":"docs.shop.test"${' '.repeat(16_384 - 27)}}`
  t.equal((await call('PUT', '/primary', fits)).statusCode, 200)
  const response = await call('PUT', '/primary', `${fits} `)
  t.equal(response.statusCode, 413)
  t.strictSame(response.json(), tooLarge)

  const lines = ['PUT /dashboard/v1/primary HTTP/1.1', 'Host: x', `Authorization: ${dashboardAuthorization}`]
  const chunk = `4001\r\n${fits} \r\n0\r\n\r\n`
  const text = await exchange(app, `${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n${chunk}`)
  const { status, body } = parseAnswer(text)
  t.strictSame([status, JSON.parse(body)], [413, tooLarge])
})

t.test('the public API goes on to ignore bodies', async (t) => {
  const { app } = await buildDashboard(t)
  const response = await app.inject({
    method: 'DELETE',
    url: '/v1/store/orders/1007',
    headers: { authorization, 'content-type': 'application/json' },
    payload: `not JSON${' '.repeat(20_000)}`,
  })
  t.equal(response.statusCode, 204)
})
