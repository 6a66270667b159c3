import type { RequestListener } from 'node:http'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { fetchOver, h2, openSession } from 'test-kit/http2'
import { ask } from 'test-kit/raw'
import { openPorts, routingOf } from '../../packages/custom-domains/test/fixtures/ports.ts'
import { requestMetrics } from '../../telemetry/metrics/requests.ts'
import { metricsIn } from '../../telemetry/metrics/series.ts'
import { authorization, build } from '../fixtures/app.ts'

const host = 'docs.shop.test'
const states = { [host]: 'live', 'old.shop.test': 'live', 'failed.shop.test': 'failed' } as const
const routing = routingOf({ states, canonicalHost: host, redirects: { 'old.shop.test': 301 } })

async function openApp(t: Test, options: Parameters<typeof build>[1] = {}) {
  const app = await build(t, { isApiAtDomains: true, corsOrigins: ['https://a.test'], ...options })
  await app.ready()
  return openPorts(t, () => routing, app.routing as RequestListener, { hstsSeconds: 60 })
}

interface Asked {
  name?: string
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

const key = { authorization }
const requests: Asked[] = [
  ...['/docs', '/', '/docs.md', '/openapi.json', '/sitemap.xml', '/none', '/%', '/docs?a=%20'].map((path) => ({
    path,
  })),
  ...['br', 'gzip', 'identity;q=0, *;q=0'].map((accepted) => ({
    path: '/docs',
    headers: { 'accept-encoding': accepted },
  })),
  { path: '/docs', headers: { accept: 'text/markdown' } },
  ...['/docs', '/v1/store/orders', '/none'].map((path) => ({ method: 'HEAD', path, headers: key })),
  ...['POST', 'OPTIONS', 'PUT', 'TRACE'].map((method) => ({ method, path: '/docs' })),
  {
    method: 'OPTIONS',
    path: '/v1/store/orders',
    headers: { 'access-control-request-method': 'GET', origin: 'https://a.test' },
  },
  { path: '/v1/store/orders' },
  { path: '/v1/store/orders', headers: key },
  { path: '/v1/store/orders', headers: { ...key, 'accept-encoding': 'gzip', origin: 'https://a.test' } },
  { path: '/v1/pets/504', headers: key },
  { path: '/docs', headers: { expect: 'a miracle' } },
  { method: 'DELETE', path: '/v1/store/orders/1', headers: key, body: 'ignored' },
  { method: 'POST', path: '/docs', body: 'a'.repeat(1024 * 1024 + 1) },
  { name: 'old.shop.test', path: '/a?b' },
  { name: host, path: '/docs', headers: { host: 'old.shop.test' } },
]

/** Without what depends on the connection or the time. */
function lasting({ date, connection, 'keep-alive': _, ...headers }: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')))
}

t.test('every response over HTTP/2 equals that over HTTP/1.1', async (t) => {
  const ports = await openApp(t)
  for (const { name = host, method = 'GET', path, headers = {}, body } of requests) {
    const what = `${method} ${path} ${JSON.stringify(headers)}`
    const sent = { host: name, 'x-request-id': 'the-same', ...headers }
    const lines = Object.entries({ ...sent, ...(body && { 'content-length': body.length }) })
    const text = [`${method} ${path} HTTP/1.1`, ...lines.map(([field, value]) => `${field}: ${value}`)].join('\r\n')
    const over1 = await ask(ports.dialSecurely(name), `${text}\r\n\r\n${body ?? ''}`)
    const { host: authority, ...others } = sent
    const pseudo = { ':method': method, ':path': path, ':authority': authority }
    const over2 = await fetchOver(openSession(t, ports.dialSecurely(name, h2)), { ...pseudo, ...others }, body)
    t.equal(over2.status, over1.status, what)
    t.strictSame(lasting(over2.headers), lasting(over1.headers), what)
    t.equal(over2.body, over1.body, what)
  }
})

/** Counts as metrics do, which replace `writeHead`. */
const observed = () => ({ observers: [requestMetrics(metricsIn(new Registry()), { current: new Map() })] })

t.test('a page names its canonical address, also with metrics', async (t) => {
  for (const options of [{}, observed()]) {
    const { dialSecurely } = await openApp(t, options)
    const session = openSession(t, dialSecurely(host, h2), host)
    t.match((await fetchOver(session, { ':path': '/docs' })).headers.link, `<https://${host}/docs>; rel="canonical", `)
    t.equal((await fetchOver(session, { ':path': '/none' })).headers.link, undefined)
  }
})

t.test('headers beyond the limits get 414 or 431, and the session stays open', async (t) => {
  const { dialSecurely } = await openApp(t, observed())
  const session = openSession(t, dialSecurely(host, h2), host)
  const fields = [':method', 'GET', ':path', '/docs', ':scheme', 'https', 'host', `${host}:443`, 'x-long', '']
  const others = fields.reduce((sum, text) => sum + text.length + 2, 0)
  for (const [headers, status, code] of [
    [{ ':path': `/${'a'.repeat(17_000)}` }, 414, 'uri_too_long'],
    [{ 'x-long': 'a'.repeat(17_000) }, 431, 'headers_too_large'],
    [{ ':path': '/docs', 'x-long': 'a'.repeat(16_384 - others) }, 200, '<!doctype html>'],
    [{ ':path': '/docs', 'x-long': 'a'.repeat(16_385 - others) }, 431, 'headers_too_large'],
    [{ ':path': '/docs', 'x-long': 'a'.repeat(15_000) }, 200, '<!doctype html>'],
  ] as const) {
    const response = await fetchOver(session, headers)
    t.equal(response.status, status)
    t.match(response.body, code)
  }
})
