import process from 'node:process'
import { diag, type Span, type Tracer } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { canProxy, connectProxy } from 'test-kit/connect-proxy'
import { interceptPauses } from 'test-kit/pauses'
import { abandon, exchange } from 'test-kit/raw'
import { deferred, until } from 'test-kit/until'
import { type Statement, statementSent } from '../../../store/channels.ts'
import { reportingExporter } from '../../../telemetry/tracing/exporter.ts'
import { openTracing, type SamplerName, type TracingOptions } from '../../../telemetry/tracing/open.ts'
import { statementSpans } from '../../../telemetry/tracing/statements.ts'
import { authorization, build } from '../../fixtures/app.ts'
import { insertOrders, migratedDatabase, storeAt } from '../../postgres/orders.ts'
import { collector, type Received } from '../collector.ts'

const url = '/v1/store/orders'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

/** An app that exports spans to a collector; `spans` closes it and resolves with all of them. */
async function traced(t: Test, options: Partial<TracingOptions> = {}, env = {}, appOptions = {}) {
  const receiver = await collector(t)
  const reports: string[] = []
  const report = (level: string, message: string) => reports.push(`${level}: ${message}`)
  t.intercept(process, 'env', { value: env })
  const url = `${receiver.url}/v1/traces`
  const given = { version: '1.2.3', url, sampler: 'parentbased_always_on', ratio: 1, exportEvery: 60_000 } as const
  const tracing = openTracing({ ...given, report, ...options })
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger: { ...logger, level: 'info' }, observers: [tracing.requests], ...appOptions })
  const spans = () => tracing.close().then(() => receiver.spans)
  return { app, lines, receiver, reports, tracing, spans }
}

t.test('what clients choose is cut', async (t) => {
  const { app, spans } = await traced(t)
  const long = 'a'.repeat(5_000)
  await app.inject({ url: `/${long}`, headers: { 'user-agent': long } })
  const [span] = await spans()
  for (const name of ['url.path', 'user_agent.original']) t.equal(String(span?.attributes[name]).length, 2_048, name)
})

t.test('a request is one span, named after its operation, with its outcome', async (t) => {
  const { app, lines, spans } = await traced(t)
  await app.inject({ url: `${url}?key=secret`, headers: { authorization, 'x-request-id': 'one' } })
  const [span, ...others] = await spans()
  t.strictSame(others, [])
  t.strictSame(span, {
    traceId: lines[0]?.trace_id,
    spanId: span?.spanId,
    parentSpanId: undefined,
    name: 'listOrders',
    kind: 2,
    start: span?.start,
    attributes: {
      'http.request.method': 'GET',
      'http.route': url,
      'url.path': url,
      'url.scheme': 'http',
      'server.address': 'localhost',
      'server.port': 80,
      'network.protocol.version': '1.1',
      'user_agent.original': 'lightMyRequest',
      'client.address': '127.0.0.1',
      'store_orders.request_id': 'one',
      'store_orders.key': 'tests',
      'http.response.status_code': 200,
      'store_orders.list.pages': 1,
      'store_orders.list.orders': 17,
    },
    isError: false,
    service: 'store-orders',
    version: '1.2.3',
    instance: span?.instance,
  })
  t.match(span?.instance, /^[\da-f-]{36}$/)
})

t.test('a cancellation has its outcome; a request rejected earlier has none', async (t) => {
  const { app, spans } = await traced(t)
  const headers = { authorization }
  for (const id of [1007, 1007, 1006, 1]) await app.inject({ method: 'DELETE', url: `${url}/${id}`, headers })
  await app.inject({ method: 'DELETE', url: `${url}/1007` })
  await app.inject({ url: '/v1/pets/504', headers })
  const found = await spans()
  const outcomes = found.map(({ name, attributes }) => `${name} ${attributes['store_orders.cancel.outcome']}`)
  const ofCancel = ['cancelled', 'already_cancelled', 'already_shipped', 'not_found', undefined]
  t.strictSame(outcomes, [...ofCancel.map((outcome) => `cancelOrder ${outcome}`), 'getPetById undefined'])
  t.equal(found[0]?.attributes['http.route'], `${url}/{orderId}`)
})

t.test('other requests are named after their route, and probes are not traced', async (t) => {
  const { app, spans } = await traced(t)
  for (const path of ['/docs?a', '/nowhere', '/livez', '/readyz']) await app.inject(path)
  const names = (await spans()).map(({ name }) => name)
  t.strictSame(names, ['GET /docs', 'GET'])
})

t.test('hosts and methods follow the conventions', async (t) => {
  const { app, spans } = await traced(t, {}, {}, { trustProxy: ['127.0.0.1'] })
  const attributes = ['server.address', 'server.port', 'http.request.method', 'http.request.method_original']
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
  const requests = [
    [{ headers: { host: '[::1]:3000' } }, 'GET', '::1', 3000, 'GET', undefined],
    [{ headers: { host: '[::1]' } }, 'GET', '::1', 80, 'GET', undefined],
    [{ headers: { ...https, host: 'a.test' } }, 'GET', 'a.test', 443, 'GET', undefined],
    [{ headers: { host: 'a:b:c' } }, 'GET', undefined, undefined, 'GET', undefined],
    [{ headers: { host: ':3000' } }, 'GET', undefined, undefined, 'GET', undefined],
    [{ method: 'PROPFIND', headers: { host: 'a.test:1' } }, 'HTTP', 'a.test', 1, '_OTHER', 'PROPFIND'],
  ] as const
  for (const [request] of requests) await app.inject({ url: '/nowhere', ...request } as InjectOptions)
  const found = (await spans()).map((span) => [span.name, ...attributes.map((name) => span.attributes[name])])
  for (const [at, [, ...expected]] of requests.entries()) t.strictSame(found[at], expected)
})

t.test('a request over HTTP/1.0 has this version', async (t) => {
  const { app, spans } = await traced(t)
  await exchange(app, 'GET /nowhere HTTP/1.0\r\n\r\n')
  t.equal((await spans())[0]?.attributes['network.protocol.version'], '1.0')
})

t.test('a statement to PostgreSQL is a span within that of its request', async (t) => {
  const db = await migratedDatabase(t)
  await insertOrders(db, [{ id: 1n, status: 'pending' }])
  const orders = storeAt(t, db.url)
  const { app, tracing, spans } = await traced(t, {}, {}, { orders })
  const headers = { authorization }
  await app.inject({ url, headers })
  tracing.watchStatements()
  await app.inject({ method: 'DELETE', url: `${url}/1`, headers })
  await app.inject('/readyz')
  await orders.ping()
  await app.inject({ url, headers })
  await db.query('DROP SCHEMA store_orders CASCADE')
  await app.inject({ method: 'DELETE', url: `${url}/1`, headers })
  const found = await spans()
  const requests = found.filter(({ kind }) => kind === 2)
  const statementsOf = (request?: Received) =>
    found.filter(({ kind, parentSpanId }) => kind === 3 && parentSpanId === request?.spanId)
  const [untraced, cancelled, listed, failed] = requests
  t.strictSame(statementsOf(untraced), [])
  t.match(statementsOf(cancelled), [
    { name: 'cancel', attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'cancel' }, isError: false },
  ])
  t.ok(statementsOf(listed).length > 0)
  t.match(statementsOf(failed).at(-1), { name: 'cancel', attributes: { 'error.type': '3F000' }, isError: true })
  const all = requests.flatMap((request) => statementsOf(request))
  t.equal(all.length, found.length - requests.length, 'probes and other work have no spans')
})

t.test('statements have spans until the tracing is closed', async (t) => {
  const begun: string[] = []
  const span = { isRecording: () => true, end() {} } as unknown as Span
  const startSpan = (name: string) => begun.push(name) && span
  const spans = statementSpans({ startSpan } as unknown as Tracer)
  const send = (name: string) =>
    spans.within(span, () => statementSent.publish({ name, result: Promise.resolve() } satisfies Statement))
  send('before')
  spans.watch()
  send('watched')
  spans.close()
  send('after')
  t.strictSame(begun, ['watched'])
})

t.test('a failed request is marked as an error', async (t) => {
  const { app, spans } = await traced(t)
  app.get('/failing', () => {
    throw new Error('meant')
  })
  app.get('/slow', () => new Promise(() => {}))
  await app.inject('/failing')
  await abandon(t, app, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  const described = (await spans()).map(({ name, isError, attributes }) => {
    return [name, isError, attributes['error.type'], attributes['http.response.status_code']].join()
  })
  t.strictSame(described, ['GET /failing,true,500,500', 'GET /slow,true,aborted,'])
})

t.test('the trace of the client is continued, recorded or not', async (t) => {
  const { app, lines, spans } = await traced(t, { sampler: 'parentbased_always_off' })
  let begun = Number.POSITIVE_INFINITY
  app.addHook('onRequest', async () => {
    begun = Math.min(begun, performance.timeOrigin + performance.now())
  })
  const ask = (header: string) => app.inject({ url, headers: { authorization, traceparent: header } })
  await ask(traceparent)
  await ask(traceparent.replace(/01$/, '00'))
  await ask('invalid')
  const [span, ...others] = await spans()
  t.strictSame([span?.traceId, span?.parentSpanId, others], [traceId, '00f067aa0ba902b7', []])
  t.ok(Number(span?.start) <= begun, 'it begins when the request arrives')
  const logged = lines.map((line) => line.trace_id)
  t.strictSame(logged, [traceId, traceId, undefined])
})

t.test('the trace of a request without a valid key is not continued: strangers cannot have it recorded', async (t) => {
  const { app, lines, spans } = await traced(t, { sampler: 'parentbased_traceidratio', ratio: 0 })
  for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
    await app.inject({ url, headers: { ...headers, traceparent } })
    await app.inject({ url: '/docs', headers: { ...headers, traceparent } })
  }
  await app.inject({ url, headers: { authorization, traceparent } })
  const logged = lines.map((line) => line.trace_id)
  t.strictSame(logged, [...Array(4).fill(undefined), traceId])
  t.equal((await spans()).length, 1)
})

t.test('each sampler records what its name says', async (t) => {
  const samplers: [SamplerName, ratio: number, recorded: number][] = [
    ['always_on', 0, 2],
    ['always_off', 1, 0],
    ['traceidratio', 0, 0],
    ['traceidratio', 1, 2],
    ['parentbased_always_on', 0, 2],
    ['parentbased_traceidratio', 0, 1],
  ]
  for (const [sampler, ratio, recorded] of samplers) {
    const { app, spans } = await traced(t, { sampler, ratio })
    for (const more of [{}, { traceparent }]) await app.inject({ url, headers: { authorization, ...more } })
    t.equal((await spans()).length, recorded, `${sampler} ${ratio}`)
  }
})

t.test('the service can be named', async (t) => {
  const env = { OTEL_SERVICE_NAME: 'shop', OTEL_RESOURCE_ATTRIBUTES: 'a=b' }
  const { app, spans } = await traced(t, {}, env)
  await app.inject('/docs')
  t.equal((await spans())[0]?.service, 'shop')
})

t.test('spans are exported while the server runs, and every outage is reported with its end', async (t) => {
  const { app, receiver, reports, tracing } = await traced(t, { exportEvery: 1 })
  t.teardown(tracing.close)
  let arrived = 0
  async function visit() {
    await app.inject('/docs')
    await receiver.arrived(++arrived)
  }
  await visit()
  t.strictSame(reports, [])
  for (const [status, reason] of [
    [400, '400 Bad Request'],
    [302, '302 Found: configure the address that it redirects to'],
    [400, '400 Bad Request'],
  ] as const) {
    receiver.respondWith(status)
    await visit()
    await until(() => reports.length > 0)
    t.strictSame(reports.splice(0), [`warn: spans are lost: the collector responds with ${reason}`])
    await visit()
    receiver.respondWith(200)
    await visit()
    await until(() => reports.length > 0)
    t.strictSame(reports.splice(0), ['info: spans are exported again; 2 were lost'])
  }
  t.equal(tracing.lost(), 6)
})

t.test('an error without a message, as of a host with several addresses, is reported by its code', async (t) => {
  const reports: string[] = []
  const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  const fail: SpanExporter['export'] = (_spans, done) => done({ code: ExportResultCode.FAILED, error })
  const failing = { export: fail, shutdown: async () => {} }
  reportingExporter(failing, (_level, message) => reports.push(message)).export([], () => {})
  t.strictSame(reports, ['spans are lost: ECONNREFUSED'])
})

t.test('spans that do not fit into the queue are lost, too', async (t) => {
  const { app, tracing, reports } = await traced(t, { sampler: 'always_on' })
  const { began, ended } = tracing.requests
  let isFirst = true
  app.addHook('onResponse', async (request, reply) => {
    for (let count = isFirst ? 3_000 : 0; count > 0; count--) {
      began(reply)
      ended(request, reply, false)
    }
    isFirst = false
  })
  await until(async () => {
    await app.inject('/nowhere')
    return tracing.lost() > 0
  })
  t.match(reports, [`warn: Dropped ${tracing.lost()} spans`])
  await tracing.close()
})

t.test('what OpenTelemetry reports is one line, each once in a row, until the tracing is closed', async (t) => {
  const { reports, tracing } = await traced(t)
  const failure = JSON.stringify({ stack: 'Error: no collector\n  at x', message: 'no collector', name: 'Error' })
  for (const text of [failure, failure, `a\n  b${'c'.repeat(300)}`, failure]) diag.error(text)
  diag.info('fine')
  await tracing.close()
  diag.error('late')
  t.strictSame(reports, ['warn: no collector', `warn: a b${'c'.repeat(297)}`, 'warn: no collector'])
})

t.test('closing waits at most two seconds for the collector', async (t) => {
  const { tracing } = await traced(t)
  const waits: unknown[] = []
  interceptPauses(t, (ms) => waits.push(ms) && new Promise(() => {}))
  await tracing.close()
  t.strictSame(waits, [2_000])
})

t.test('a proxy that rejects the tunnel to the collector is reported, and left', { skip: !canProxy }, async (t) => {
  const proxy = await connectProxy(t, '407 Proxy Authentication Required')
  const proxyEnv = { HTTPS_PROXY: `http://${proxy.authority}` }
  const reported = deferred<string>()
  const report = (_level: string, message: string) => reported.resolve(message)
  const options = { url: 'https://collector.test/v1/traces', proxyEnv, exportEvery: 1, report }
  const { app, tracing } = await traced(t, options)
  await app.inject({ url, headers: { authorization } })
  t.match(await reported.promise, /407 Proxy Authentication Required/)
  await tracing.close()
  t.strictSame(proxy.requests, ['CONNECT collector.test:443'])
  await proxy.abandoned()
})
