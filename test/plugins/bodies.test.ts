import t from 'tap'
import { errorOf } from '../fixtures/app.ts'
import { buildDashboard, dashboardAuthorization } from '../fixtures/dashboard.ts'
import { exchange, parseAnswer } from '../fixtures/raw.ts'

const tooLarge = errorOf('payload_too_large', 'The request is too large.')
const invalid = (message: string) => ({ code: 'invalid_request', message, status: 400 })

t.test('a body of a media type that the document does not list is rejected with 415', async (t) => {
  const { call } = await buildDashboard(t)
  const add = (type: string) => call('POST', '/domains', '{"domain":"new.shop.test"}', { 'content-type': type })
  for (const type of ['text/plain', 'application/xml', ';;', 'application/json; charset=latin1', 'application/jsonp']) {
    const response = await add(type)
    t.equal(response.statusCode, 415, type)
    t.strictSame(response.json(), errorOf('unsupported_media_type', 'Send the body as application/json, in UTF-8.'))
  }
  for (const type of ['Application/JSON', 'application/json ;charset=UTF-8', 'application/json; charset="utf-8"']) {
    t.not((await add(type)).statusCode, 415, type)
  }
})

t.test('a body that violates the document is rejected with 400 and the reason', async (t) => {
  const { call, registry } = await buildDashboard(t)
  const refused: Record<string, [body: string | undefined, message: string][]> = {
    '/domains/shop.test/redirect': [
      ['{"status":"301"}', 'body status must be an integer in plain decimal digits, at most 9007199254740991.'],
      ['{"status":true}', 'body status must be an integer in plain decimal digits, at most 9007199254740991.'],
      ['{"status":null}', 'body status must be an integer in plain decimal digits, at most 9007199254740991.'],
      ['{"status":301.5}', 'body status must be an integer in plain decimal digits, at most 9007199254740991.'],
      ['{"status":303}', 'body status must be one of 301, 302, 307, 308.'],
      ['{"status":301,"to":"evil.test"}', 'body must not have the property "to".'],
      ['{"__proto__":{"status":302}}', 'body must not have the property "__proto__".'],
    ],
    '/primary': [
      [undefined, 'body is required.'],
      ['', 'body is required.'],
      ['null', 'body must be object.'],
      ['[]', 'body must be object.'],
      ['"old.shop.test"', 'body must be object.'],
      ['{}', 'body domain is required.'],
      ['{"domain":5}', 'body domain must be string.'],
      ['{"domain":["old.shop.test"]}', 'body domain must be string.'],
      ['{"domain":""}', 'body domain must NOT have fewer than 1 characters.'],
      [`{"domain":"${'a'.repeat(1001)}"}`, 'body domain must NOT have more than 1000 characters.'],
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

t.test('without a status in the body, a redirect is 301', async (t) => {
  const { call } = await buildDashboard(t)
  const response = await call('PUT', '/domains/shop.test/redirect', '{}')
  t.match(response.json(), { redirect: { to: 'docs.shop.test', status: 301 } })
})

t.test('a large body is rejected with 413', async (t) => {
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
