import { METHODS } from 'node:http'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { exchange, parseAnswer } from 'test-kit/raw'
import { httpEdge } from '../../../../packages/http-edge/src/fastify/index.ts'
import { allowAt, authorization, build, errorOf } from '../../../fixtures/app.ts'

type Allowed = [string, string, string]

const [onList, onOrder, onPet] = ['/store/orders', '/store/orders/{orderId}', '/pets/{petId}'].map(allowAt) as Allowed
const allowed: [path: string, allow: string][] = [
  ['/v1/store/orders', onList],
  ['/v1/store/%6frders', onList],
  ['/v1/%73tore/orders/%zz', onOrder],
  ['/v1/store/orders/1007', onOrder],
  ['/v1/store/orders/', onOrder],
  ['/v1/pets/504', onPet],
  ['/docs', 'GET, HEAD'],
  ['/docs/static/index.css', 'GET, HEAD'],
  ['http://elsewhere/v1/store/orders', onList],
]

/** An app to which a test adds the plugin. */
function bare(t: Test) {
  const edge = httpEdge()
  const app = Fastify(edge.options)
  t.teardown(() => app.close())
  return { app, edge }
}

t.test('any other method on a known path gets 405 with Allow, without a key', async (t) => {
  const app = await build(t)
  for (const [path, allow] of allowed) {
    const answering = [...allow.split(', '), 'OPTIONS', 'CONNECT']
    for (const method of METHODS.filter((each) => !answering.includes(each))) {
      const response = parseAnswer(await exchange(app, `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))
      t.equal(response.status, 405, `${method} ${path}`)
      t.equal(response.headers.allow, allow)
      if (method === 'HEAD') continue
      const message = 'The path does not support this method; Allow lists those that it supports.'
      t.strictSame(JSON.parse(response.body), { code: 'method_not_allowed', message, status: 405 })
    }
  }
})

t.test('hooks, handlers and the client see the method that was sent, declared by a path or not', async (t) => {
  const { app, edge } = bare(t)
  const seen: string[] = []
  app.addHook('onRequest', async ({ method }) => void seen.push(method))
  await app.register(edge.plugin)
  app.addHttpMethod('PROPFIND')
  app.get('/a', async () => 'a')
  app.route({ method: 'PROPFIND', url: '/b', handler: async ({ method }) => method })
  const methods = METHODS.filter((method) => method !== 'CONNECT')
  for (const [url, served] of [
    ['/a', ['GET', 'HEAD']],
    ['/b', ['PROPFIND']],
    ['/c', []],
  ] as const) {
    seen.length = 0
    for (const method of methods) {
      const { statusCode, body } = await app.inject({ method: method as 'GET', url })
      const missing = method === 'QUERY' ? 400 : 404 // Fastify rejects a QUERY without a Content-Type first
      const other = url === '/c' ? missing : method === 'OPTIONS' ? 204 : 405
      t.equal(statusCode, (served as readonly string[]).includes(method) ? 200 : other, `${method} ${url}`)
      if (method === 'PROPFIND' && url === '/b') t.equal(body, method)
    }
    t.strictSame(seen, methods)
  }
})

t.test('OPTIONS gets 204 with Allow, without a key', async (t) => {
  const app = await build(t)
  for (const [url, allow] of allowed) {
    const response = await app.inject({ method: 'OPTIONS', url })
    t.equal(response.statusCode, 204, url)
    t.equal(response.headers.allow, allow)
    t.equal(response.body, '')
  }
  const { status, headers } = parseAnswer(await exchange(app, 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'))
  t.strictSame([status, headers.allow], [204, undefined], 'about no path')
})

t.test('a method counts where its route has the host and the version of the request', async (t) => {
  const { app, edge } = bare(t)
  app.get('/before', async () => 'a route that is older than the plugin')
  await app.register(edge.plugin)
  const statusOf = async (url: string, headers = {}) => (await app.inject({ method: 'PUT', url, headers })).statusCode
  app.get('/any', async () => 'any')
  app.get('/host', { constraints: { host: 'a.test' } }, async () => 'host')
  app.register(async (later) => later.get('/version', { constraints: { version: '1.0.0' } }, async () => 'version'))
  for (const [url, headers, status] of [
    ['/before', {}, 405],
    ['/any', {}, 405],
    ['/host', { host: 'a.test' }, 405],
    ['/host', { host: 'b.test' }, 404],
    ['/version', { 'accept-version': '1.0.0' }, 405],
    ['/version', { 'accept-version': '2.0.0' }, 404],
    ['/version', {}, 404],
  ] as const)
    t.equal(await statusOf(url, headers), status, `${url} ${JSON.stringify(headers)}`)
})

t.test('a route of WebSockets has no HEAD', async (t) => {
  const { app, edge } = bare(t)
  await app.register(edge.plugin)
  app.get('/socket', { websocket: true } as never, async () => 'opened')
  const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/socket' })
  t.strictSame([statusCode, headers.allow], [405, 'GET'])
})

t.test('a wrong method with a body gets 405, before any parser reads it', async (t) => {
  const { app, edge } = bare(t)
  await app.register(edge.plugin)
  app.get('/a', async () => 'a')
  for (const type of ['application/json', 'text/unknown', ';;']) {
    const headers = { 'content-type': type }
    const { statusCode, headers: sent } = await app.inject({ method: 'PUT', url: '/a', headers, payload: '{bad' })
    t.strictSame([statusCode, sent.allow], [405, 'GET, HEAD'], type)
  }
})

t.test('a 304 has no Content-Length, for HEAD and GET', async (t) => {
  const app = await build(t)
  for (const path of ['/v1/store/orders', '/docs', '/openapi.json', '/openapi.yaml']) {
    for (const method of ['GET', 'HEAD']) {
      const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: ${authorization}`, 'If-None-Match: *']
      const { status, headers } = parseAnswer(await exchange(app, `${lines.join('\r\n')}\r\n\r\n`))
      t.equal(status, 304, `${method} ${path}`)
      t.equal(headers['content-length'], undefined)
    }
  }
})

t.test('an unknown path gets 404, even if it looks like a host', async (t) => {
  const app = await build(t)
  for (const path of ['/nope', '//', '//v1/store/orders', '/\\v1/store/orders', '/v1/store']) {
    const response = parseAnswer(await exchange(app, `PUT ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))
    t.strictSame([response.status, response.headers.allow], [404, undefined], path)
    t.strictSame(JSON.parse(response.body), errorOf('not_found', 'Nothing is served at this path.'))
  }
})
