import { connect } from 'node:net'
import process from 'node:process'
import t, { type Test } from 'tap'
import { openTracing, type SamplerName, type TracingOptions } from '../../../telemetry/tracing/open.ts'
import { authorization, build } from '../../fixtures/app.ts'
import { collector } from '../../fixtures/collector.ts'
import { capturedLog } from '../../fixtures/log.ts'

const url = '/v1/store/orders'
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

/** An app that exports spans to a collector; `spans` closes it and resolves with all of them. */
async function traced(t: Test, options: Partial<TracingOptions> = {}, env = {}, status = 200) {
  const receiver = await collector(t, status)
  t.intercept(process, 'env', { value: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env } })
  const reports: string[] = []
  const report = (message: string) => reports.push(message)
  const given = { version: '1.2.3', sampler: 'parentbased_always_on', ratio: 1, exportEvery: 60_000 } as const
  const tracing = openTracing({ ...given, report, ...options })
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger: { ...logger, level: 'info' }, observers: [tracing.requests] })
  return {
    app,
    lines,
    reports,
    tracing,
    async spans() {
      await tracing.close()
      return receiver.spans
    },
  }
}

t.test('a request is one span, named after its operation, with its outcome', async (t) => {
  const { app, lines, spans } = await traced(t)
  await app.inject({ url: `${url}?key=secret`, headers: { authorization, 'x-request-id': 'one' } })
  const [span, ...others] = await spans()
  t.strictSame(others, [])
  t.strictSame(span, {
    traceId: lines[0]?.trace_id,
    parentSpanId: undefined,
    name: 'listOrders',
    kind: 2,
    attributes: {
      'http.request.method': 'GET',
      'http.route': url,
      'url.path': url,
      'url.scheme': 'http',
      'server.address': 'localhost',
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
  })
})

t.test('a cancellation has its outcome; a request rejected earlier has none', async (t) => {
  const { app, spans } = await traced(t)
  const headers = { authorization }
  for (const id of [1007, 1007, 1006, 1]) await app.inject({ method: 'DELETE', url: `${url}/${id}`, headers })
  await app.inject({ method: 'DELETE', url: `${url}/1007` })
  await app.inject({ url: '/v1/pets/504', headers })
  const found = await spans()
  t.strictSame(
    found.map(({ name, attributes }) => [name, attributes['store_orders.cancel.outcome']]),
    [
      ['cancelOrder', 'cancelled'],
      ['cancelOrder', 'already_cancelled'],
      ['cancelOrder', 'already_shipped'],
      ['cancelOrder', 'not_found'],
      ['cancelOrder', undefined],
      ['getPetById', undefined],
    ],
  )
  t.equal(found[0]?.attributes['http.route'], `${url}/{orderId}`)
})

t.test('other requests are named after their route, and probes are not traced', async (t) => {
  const { app, spans } = await traced(t)
  for (const path of ['/docs?a', '/nowhere', '/livez', '/readyz']) await app.inject(path)
  t.strictSame(
    (await spans()).map(({ name }) => name),
    ['GET /docs', 'GET'],
  )
})

t.test('a failed request is marked as an error', async (t) => {
  const { app, spans } = await traced(t)
  app.get('/failing', () => {
    throw new Error('meant')
  })
  const received = new Promise<{ closed: Promise<unknown> }>((resolve) => {
    app.get('/slow', (_request, { raw }) => {
      resolve({ closed: new Promise((closed) => raw.once('close', closed)) })
      return new Promise(() => {})
    })
  })
  await app.inject('/failing')
  const socket = connect(Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port), '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  const { closed } = await received
  socket.resetAndDestroy()
  await closed
  t.strictSame(
    (await spans()).map(({ name, isError, attributes }) => [
      name,
      isError,
      attributes['error.type'],
      attributes['http.response.status_code'],
    ]),
    [
      ['GET /failing', true, '500', 500],
      ['GET /slow', true, 'aborted', undefined],
    ],
  )
})

t.test('the trace of the client is continued, recorded or not', async (t) => {
  const { app, lines, spans } = await traced(t, { sampler: 'parentbased_always_off' })
  const ask = (header: string) => app.inject({ url, headers: { authorization, traceparent: header } })
  await ask(traceparent)
  await ask(traceparent.replace(/01$/, '00'))
  await ask('invalid')
  const found = await spans()
  t.strictSame(
    found.map((span) => [span.traceId, span.parentSpanId]),
    [[traceId, '00f067aa0ba902b7']],
  )
  t.strictSame(
    lines.map((line) => line.trace_id),
    [traceId, traceId, undefined],
  )
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
    await t.test(`${sampler} ${ratio}`, async (t) => {
      const { app, spans } = await traced(t, { sampler, ratio })
      await app.inject('/docs')
      await app.inject({ url: '/docs', headers: { traceparent } })
      t.equal((await spans()).length, recorded)
    })
  }
})

t.test('the service can be named', async (t) => {
  const env = { OTEL_SERVICE_NAME: 'shop', OTEL_RESOURCE_ATTRIBUTES: 'a=b' }
  const { app, spans } = await traced(t, {}, env)
  await app.inject('/docs')
  t.equal((await spans())[0]?.service, 'shop')
})

t.test('spans are exported while the server runs, and a failing collector is reported once', async (t) => {
  const receiver = await collector(t, 400)
  t.intercept(process, 'env', { value: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } })
  const reports: string[] = []
  const reported = new Promise<void>((resolve) => {
    const report = (message: string) => {
      reports.push(message)
      resolve()
    }
    const tracing = openTracing({ version: '1.2.3', sampler: 'always_on', ratio: 1, exportEvery: 1, report })
    t.teardown(tracing.close)
    build(t, { observers: [tracing.requests] }).then(async (app) => {
      await app.inject('/docs')
      await receiver.arrived(1)
      await app.inject('/docs')
      await receiver.arrived(2)
    })
  })
  await reported
  await receiver.arrived(2)
  await new Promise(setImmediate)
  t.equal(reports.length, 1)
  t.match(reports[0], /Bad Request/)
})
