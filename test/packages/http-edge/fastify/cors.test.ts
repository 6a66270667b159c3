import { Readable } from 'node:stream'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import { exchange, parseAnswer } from 'test-kit/raw'
import { acceptedBy } from '../../../../spec/document.ts'
import { allowAt, authorization, build, changed } from '../../../fixtures/app.ts'

const origin = 'https://docs.example.com'
const corsOrigins = [origin, 'http://localhost:8080']

t.test('a preflight needs no key, on any path', async (t) => {
  const app = await build(t, { corsOrigins })
  for (const url of ['/v1/store/orders', '/v1/store/orders/1007', '/nope']) {
    const response = await app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'authorization' },
    })
    t.equal(response.statusCode, url === '/nope' ? 200 : 204, url)
    t.equal(response.body, '')
    t.equal(response.headers['access-control-allow-origin'], origin)
    t.equal(response.headers['access-control-max-age'], '86400')
    t.ok(response.headers['x-request-id'])
  }
})

t.test('what looks like a preflight, but has no origin, is no error', async (t) => {
  const app = await build(t, { corsOrigins })
  const headers = { 'access-control-request-method': 'GET' }
  t.equal((await app.inject({ method: 'OPTIONS', url: '/v1/store/orders', headers })).statusCode, 204)
})

t.test('pages may send whatever the operations of the document take', async (t) => {
  const header = (name: string) => ({ in: 'header', name, schema: { type: 'string' } })
  const common = { security: [], responses: { 204: { description: 'Done.' } } }
  const parameters = [header('Idempotency-Key'), { in: 'query', name: 'q', schema: { type: 'string' } }]
  const requestBody = { content: { 'application/json': {} } }
  const post = { operationId: 'two', ...common, parameters, requestBody }
  const get = { operationId: 'one', ...common }
  const document = documentOf({ '/orders': { parameters: [header('X-Region')], get, post } })
  const cors = { origins: corsOrigins, allowed: () => acceptedBy(document) }
  const { app } = await buildDocumentApp(t, document, { edge: { cors } })
  const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-region' }
  const { headers: allowed } = await app.inject({ method: 'OPTIONS', url: '/v1/orders', headers: preflight })
  t.equal(allowed['access-control-allow-methods'], 'GET, HEAD, POST')
  const names = 'if-none-match, x-request-id, content-type, x-region, idempotency-key'
  t.equal(allowed['access-control-allow-headers'], names)
})

t.test('a document that is not valid is reported as such', async (t) => {
  const document = changed(({ paths }) => {
    Object.assign(paths['/store/orders']?.get?.responses ?? {}, { 200: { $ref: '#/components/responses/Missing' } })
  })
  await t.rejects(build(t, { corsOrigins, document }), { message: /^the document is not valid OpenAPI: / })
})

t.test('a plain OPTIONS gets the methods of the document', async (t) => {
  const app = await build(t, { corsOrigins })
  const known = await app.inject({ method: 'OPTIONS', url: '/v1/store/orders/1007', headers: { origin } })
  t.equal(known.statusCode, 204)
  t.equal(known.headers.allow, allowAt('/store/orders/{orderId}'))
  const unknown = await app.inject({ method: 'OPTIONS', url: '/nope', headers: { origin: corsOrigins[1] } })
  t.equal(unknown.statusCode, 404)
  t.equal(unknown.headers['access-control-allow-origin'], corsOrigins[1])
  t.equal(unknown.headers['access-control-expose-headers'], '*')
  t.equal(unknown.json().code, 'not_found')
})

t.test('a page of another origin cannot read responses', async (t) => {
  const app = await build(t, { corsOrigins })
  for (const other of ['https://evil.example', 'null', `${origin}.evil.example`]) {
    const response = await app.inject({ url: '/v1/store/orders', headers: { authorization, origin: other } })
    t.equal(response.statusCode, 200)
    t.equal(response.headers['access-control-allow-origin'], undefined)
    t.match(response.headers.vary, /\bOrigin\b/)
  }
})

t.test('Vary includes the origin and everything else that the response depends on', async (t) => {
  const app = await build(t, { corsOrigins })
  app.get('/stream', (_request, reply) => reply.header('content-length', 4).send(Readable.from(['body'])))
  const varyOf = async (head: string, last = '') => {
    const text = `${head} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${last}\r\n`
    return parseAnswer(await exchange(app, text)).headers.vary
  }
  t.equal(await varyOf('GET /v1/store/orders'), 'Origin, Accept, Accept-Encoding')
  t.equal(await varyOf('GET /v1/store/orders', 'Accept-Encoding: *;q=0\r\n'), 'Origin, Accept, Accept-Encoding')
  t.equal(await varyOf('GET /docs'), 'Origin, Accept, Accept-Encoding')
  t.equal(await varyOf('GET /nope'), 'Origin')
  t.equal(await varyOf('GET /stream'), 'Origin')
})

t.test('without origins, responses have no CORS headers', async (t) => {
  const app = await build(t)
  for (const method of ['GET', 'OPTIONS'] as const) {
    const { headers } = await app.inject({ method, url: '/v1/store/orders', headers: { authorization, origin } })
    t.notOk(Object.keys(headers).some((name) => name.startsWith('access-control-')))
    t.notMatch(String(headers.vary), 'Origin')
  }
})
