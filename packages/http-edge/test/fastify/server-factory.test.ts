// Fastify's own options of servers, beside those of this package.

import { once } from 'node:events'
import { get } from 'node:https'
import Fastify from 'fastify'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { exchange, parseAnswer } from 'test-kit/raw'
import { httpEdge } from '../../src/fastify/index.ts'

t.test('limits are those of Fastify, or the usual ones', async (t) => {
  const limits = { requestTimeout: 7_000, connectionTimeout: 8_000, keepAliveTimeout: 9_000, maxRequestsPerSocket: 3 }
  const { options } = httpEdge()
  const limited = Fastify({ ...options, ...limits }).server
  t.match(limited, { requestTimeout: 7_000, headersTimeout: 7_000, timeout: 8_000, keepAliveTimeout: 9_000 })
  t.equal(limited.maxRequestsPerSocket, 3)
  const usual = Fastify(options).server
  t.match(usual, { requestTimeout: 30_000, headersTimeout: 10_000, timeout: 120_000, keepAliveTimeout: 72_000 })
  t.match(usual, { connectionsCheckingInterval: 1_000, keepAlive: true, maxHeaderSize: 16_384, maxHeadersCount: 0 })
  t.equal(usual.maxRequestsPerSocket, 0)
  const unlimited = Fastify({ ...options, requestTimeout: 0, connectionTimeout: 0 }).server
  t.match(unlimited, { requestTimeout: 0, headersTimeout: 10_000, timeout: 0 })
  t.match(Fastify({ ...options, http: { headersTimeout: 2_000 } }).server, { headersTimeout: 2_000 })
})

t.test('https is served with TLS', async (t) => {
  const pem = await makeCertificate('localhost')
  const edge = httpEdge()
  const app = Fastify({ ...edge.options, https: { key: pem, cert: pem } })
  t.teardown(() => app.close())
  await app.register(edge.plugin)
  app.get('/', async ({ protocol }) => protocol)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.match(address, /^https:/)
  const limits = Object.getOwnPropertySymbols(app.server).filter(({ description }) =>
    /handshake/.test(`${description}`),
  )
  const values = limits.map((symbol) => Reflect.get(app.server, symbol))
  t.strictSame(values, [10_000])
  const [response] = await once(get(address, { ca: pem, servername: 'localhost', agent: false }), 'response')
  t.equal(String(await response.setEncoding('utf8').reduce((all: string, part: string) => all + part)), 'https')
  t.ok('setSecureContext' in Fastify({ ...edge.options, https: true as never }).server)
})

t.test('http2 is refused by name', async (t) => {
  const { options } = httpEdge()
  t.throws(() => Fastify({ ...options, http2: true } as never), { message: /leave out the option http2/ })
})

t.test('a request keeps the id that it has in the header of the option, whatever its case', async (t) => {
  const edge = httpEdge({ requestIdHeader: 'Traceable' })
  const app = Fastify(edge.options)
  t.teardown(() => app.close())
  await app.register(edge.plugin)
  const { headers } = await app.inject({ url: '/', headers: { traceable: 'sent-1', 'x-request-id': 'other' } })
  t.equal(headers.traceable, 'sent-1')
})

t.test('ids are those of genReqId, and hooks see the method that was sent', async (t) => {
  const edge = httpEdge({ requestIdHeader: 'Traceable' })
  const seen: unknown[] = []
  const app = Fastify({ ...edge.options, genReqId: ({ method }) => `own-${method}` })
  t.teardown(() => app.close())
  app.addHook('onRequest', async ({ method, id }) => void seen.push(method, id))
  await app.register(edge.plugin)
  const response = parseAnswer(await exchange(app, 'PROPFIND / HTTP/1.1\r\nHost: x\r\n\r\n'))
  t.strictSame(seen, ['PROPFIND', 'own-PROPFIND'])
  t.equal(response.headers.traceable, 'own-PROPFIND')
  t.equal(response.headers['x-request-id'], undefined)
  const rejected = parseAnswer(await exchange(app, 'nonsense\r\n\r\n'))
  t.match(rejected.headers.traceable, /-1$/)
})
