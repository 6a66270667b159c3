import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { PassThrough } from 'node:stream'
import timers from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { Registry } from 'prom-client'
import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { interceptPauses } from 'test-kit/pauses'
import { abandon, exchange, parseAnswer } from 'test-kit/raw'
import { keySet, mergeKeys } from '../../../config/keys/key-set.ts'
import { registerDomainMetrics } from '../../../domains/metrics.ts'
import { type Statement, statementSent } from '../../../store/channels.ts'
import { orderStatuses } from '../../../store/order-store.ts'
import { StoreUnavailableError } from '../../../store/unavailable.ts'
import { metricsIn } from '../../../telemetry/metrics/series.ts'
import { storeMetrics } from '../../../telemetry/metrics/store.ts'
import { authorization, build, storeOf } from '../../fixtures/app.ts'
import { metricsOf, samplesIn, scrape } from './scrape.ts'

const url = '/v1/store/orders'

async function counted(t: Test, options: Parameters<typeof build>[1] = {}) {
  const metrics = metricsOf()
  const orders = await storeOf(t)
  metrics.watchStore(orders)
  const app = await build(t, { observers: [metrics.requests], orders, ...options })
  const values = await scrape(t, metrics)
  return { app, metrics, orders, values }
}

const of = (found: Map<string, number>, prefix: string) => [...found].filter(([name]) => name.startsWith(prefix))

const count = (method: string, route: string, status: number) =>
  `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}",url_scheme="http"}`

t.test('requests are counted by method, route and status, with and without a log', async (t) => {
  for (const logger of [false as const, capturedLog().logger]) {
    const { app, values } = await counted(t, { logger })
    const headers = { authorization }
    for (let i = 0; i < 2; i++) await app.inject({ url: `${url}?a=${i}`, headers })
    await app.inject({ method: 'HEAD', url, headers })
    await app.inject({ method: 'DELETE', url: `${url}/1007`, headers })
    await app.inject({ method: 'DELETE', url: `${url}/1`, headers })
    await app.inject({ method: 'DELETE', url: `${url}/1007` })
    await app.inject({ method: 'PUT', url })
    await app.inject({ method: 'OPTIONS', url })
    await app.inject({ url: '/x', method: 'PROPFIND' } as InjectOptions)
    await app.inject('/y')
    for (const path of ['/livez', '/readyz']) await app.inject(path)
    const found = await values()
    t.equal(found.get(count('GET', url, 200)), 2)
    t.equal(found.get(count('HEAD', url, 200)), 1)
    t.equal(found.get(count('DELETE', `${url}/{orderId}`, 204)), 1)
    t.equal(found.get(count('DELETE', `${url}/{orderId}`, 404)), 1, 'with a key')
    t.equal(found.get(count('_OTHER', '', 204)), 1)
    t.equal(found.get(count('_OTHER', '', 401)), 1)
    t.equal(found.get(count('_OTHER', '', 405)), 1)
    t.equal(found.get(count('_OTHER', '', 404)), 2)
    t.notMatch([...found.keys()].join(), /livez|readyz/)
    t.equal(found.get('store_orders_key_requests_total{key="tests"}'), 5)
  }
})

t.test('an error of the server is counted by its route, also without a key', async (t) => {
  const metrics = metricsOf()
  const [raw, config] = [{}, { url: '/v1/x' }]
  metrics.requests.began({ raw } as never)
  const request = { method: 'GET', protocol: 'http', routeOptions: { config } }
  metrics.requests.ended(request as never, { raw, statusCode: 500 } as never, false)
  t.equal((await (await scrape(t, metrics))()).get(count('GET', '/v1/x', 500).replace('}', ',error_type="500"}')), 1)
})

t.test('requests that the parser rejects are counted by status, from 0', async (t) => {
  const { app, values } = await counted(t)
  const series = 'store_orders_rejected_requests_total{http_response_status_code="400"}'
  const before = of(await values(), 'store_orders_rejected_requests_total')
  const statuses = before.map(([name, value]) => `${name.replace(/\D/g, '')}: ${value}`)
  t.strictSame(statuses, ['400: 0', '408: 0', '413: 0', '414: 0', '431: 0', '501: 0'])
  await exchange(app, 'GET / HTTP/1.1\r\nno field\r\n\r\n')
  t.equal((await values()).get(series), 1)
})

t.test('a gauge shows whether the orders are reachable', async (t) => {
  const up = await counted(t)
  t.equal((await up.values()).get('store_up'), 1)
  const metrics = metricsOf()
  metrics.watchStore({ ...(await storeOf(t)), ping: () => Promise.reject(new StoreUnavailableError('meant', 1)) })
  t.equal((await (await scrape(t, metrics))()).get('store_up'), 0)
})

t.test('the connections to a database are shown by their state, and what waits for one', async (t) => {
  const metrics = metricsOf()
  metrics.watchStore({ ...(await storeOf(t)), connections: () => ({ used: 1, idle: 2, max: 4, waiting: 8 }) })
  const began = performance.now()
  const failing = (code?: string) => Promise.reject(Object.assign(new Error('reset'), code && { code }))
  for (const [name, result] of Object.entries({ done: Promise.resolve(), lost: failing(), failed: failing('3F000') }))
    statementSent.publish({ name, result } satisfies Statement)
  const found = await (await scrape(t, metrics))()
  const ofStatement = (kind: string, labels: string) =>
    found.get(`db_client_operation_duration_seconds_${kind}{db_system_name="postgresql",db_query_summary=${labels}}`)
  t.equal(ofStatement('count', '"done"'), 1)
  const seconds = Number(ofStatement('sum', '"done"'))
  t.ok(seconds > 0 && seconds <= (performance.now() - began) / 1000, `${seconds} seconds`)
  t.equal(ofStatement('count', '"failed",error_type="3F000"'), 1)
  t.equal(ofStatement('count', '"lost",error_type="_OTHER"'), 1, 'an error without a code')
  const buckets = of(found, 'db_client_operation_duration_seconds_bucket').filter(([name]) => name.includes('"done"'))
  const bounds = buckets.map(([name]) => /le="([^"]+)"/.exec(name)?.[1]).join(' ')
  t.equal(bounds, '0.001 0.005 0.01 0.05 0.1 0.5 1 5 10 +Inf', "those of OpenTelemetry's conventions")
  const names = ['count{db_client_connection_state="used"}', 'count{db_client_connection_state="idle"}']
  const values = [...names, 'max', 'pending_requests'].map((name) => found.get(`db_client_connection_${name}`))
  t.strictSame(values, [1, 2, 4, 8])
})

t.test('the connections of clients are shown', async (t) => {
  const metrics = metricsOf()
  metrics.watchConnections({ connections: () => ({ open: 1, max: 4, refused: 2 }) })
  const found = await (await scrape(t, metrics))()
  const values = ['open', 'max', 'refused_total'].map((name) => found.get(`store_orders_connections_${name}`))
  t.strictSame(values, [1, 4, 2])
})

t.test('while a database hangs, a scrape has what was known last', async (t) => {
  const { setTimeout } = timers
  const waits = new Set<number>()
  interceptPauses(t, (...given) => {
    waits.add(Number(given[0]))
    return setTimeout(...given)
  })
  const metrics = metricsOf()
  const pings = [Promise.resolve(), new Promise<void>(() => {})]
  metrics.watchStore({ ...(await storeOf(t)), ping: async () => pings.shift() })
  const values = await scrape(t, metrics)
  for (const time of ['before', 'while it hangs', 'while it still hangs']) {
    const found = await values()
    t.equal(found.get('store_up'), 1, time)
    t.ok(found.has('process_start_time_seconds'))
  }
  t.equal(pings.length, 0)
  t.strictSame([...waits], [1_500])
})

t.test("the buckets of requests are those of OpenTelemetry's conventions", async (t) => {
  const { app, values } = await counted(t)
  await app.inject('/nowhere')
  const buckets = of(await values(), 'http_server_request_duration_seconds_bucket')
  const bounds = buckets.map(([name]) => /le="([^"]+)"/.exec(name)?.[1]).join(' ')
  t.equal(bounds, '0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf')
})

t.test('a client that reads slowly delays the end of a response, not its headers', async (t) => {
  const { app, values } = await counted(t)
  const body = new PassThrough()
  app.get('/slow', (_request, reply) => reply.send(body))
  await app.listen({ host: '127.0.0.1', port: 0 })
  body.write('begun, ')
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/slow`)
  const headersArrived = (performance.now() - began) / 1000
  body.end('late')
  await response.text()
  const found = await values()
  const headers = Number(found.get('http_server_time_to_headers_seconds_sum'))
  const [, duration] = [...found].find(([key]) => /^http_server_request_duration_seconds_sum.*"\/slow"/.test(key)) ?? []
  t.ok(headers > 0)
  t.ok(headers < Number(duration))
  t.ok(headers < headersArrived)
})

t.test('a client that disconnects is counted separately, and by its key', async (t) => {
  const { app, values } = await counted(t)
  app.get('/slow', (request) => {
    request.apiKey = { name: 'tests', isReadOnly: false, endsAt: Infinity }
    return new Promise(() => {})
  })
  await abandon(t, app, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  const found = await values()
  t.equal(found.get('store_orders_aborted_requests_total'), 1)
  t.equal(found.get('store_orders_key_requests_total{key="tests"}'), 1)
  t.notMatch([...found.keys()].join(), '"/slow"')
})

t.test('a thousand keys have their own series, and the others share one', async (t) => {
  const names = Array.from({ length: 1002 }, (_, index) => `key-${index}`)
  const given = names.map((name) => ({ name, key: name }))
  const { app, values } = await counted(t, { keys: keySet(mergeKeys({ values: given, variable: 'API_KEYS' })) })
  for (const name of [...names, 'key-0'])
    await app.inject({ url: '/v1/pets/1', headers: { authorization: `Bearer ${name}` } })
  const found = await values()
  t.equal(of(found, 'store_orders_key_requests_total').length, 1001)
  t.equal(found.get('store_orders_key_requests_total{key="key-0"}'), 2)
  t.equal(found.get('store_orders_key_requests_total{key="other"}'), 2)
})

t.test('lists and their bytes are counted by encoding', async (t) => {
  const { app, values } = await counted(t)
  // Over a socket: Node.js then writes the headers in another way than for `inject`.
  const ask = async (method: string, lines = '') => {
    const head = `${method} ${url} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n`
    return parseAnswer(await exchange(app, `${head}${lines}\r\n`))
  }
  const plain = await ask('GET')
  const zipped = await ask('GET', 'Accept-Encoding: gzip\r\n')
  await ask('GET', `If-None-Match: ${plain.headers.etag}\r\n`)
  await ask('HEAD')
  const found = await values()
  const bytes = { identity: plain.body.length, gzip: zipped.body.length }
  for (const [encoding, length] of Object.entries(bytes)) {
    t.equal(found.get(`store_orders_list_responses_total{encoding="${encoding}"}`), 1)
    t.equal(found.get(`store_orders_list_bytes_total{encoding="${encoding}"}`), length)
  }
})

t.test('cancellations are counted by outcome, orders by status, and encoded pages by encoding', async (t) => {
  const { app, orders, values } = await counted(t)
  const headers = { authorization }
  for (const id of [1007, 1007, 1006, 1]) await app.inject({ method: 'DELETE', url: `${url}/${id}`, headers })
  for (let i = 0; i < 2; i++) await app.inject({ url, headers: { ...headers, 'accept-encoding': 'gzip' } })
  const found = await values()
  for (const outcome of ['cancelled', 'already_cancelled', 'already_shipped', 'not_found'])
    t.equal(found.get(`store_orders_cancellations_total{outcome="${outcome}"}`), 1, outcome)
  for (const encoding of ['json', 'gzip'])
    t.equal(found.get(`store_orders_pages_encoded_total{encoding="${encoding}"}`), 1, encoding)
  for (const [status, count] of Object.entries(await orders.countByStatus()))
    t.equal(found.get(`store_orders_orders{status="${status}"}`), count, status)
})

t.test('an unreachable store has no orders by status, and is counted again later', async (t) => {
  const registry = new Registry()
  const store = await storeOf(t)
  let counts = 0
  const countByStatus = async () => {
    counts++
    if (counts === 1) throw new StoreUnavailableError('unreachable', 1)
    return store.countByStatus()
  }
  storeMetrics(metricsIn(registry), { ...store, countByStatus })
  const orders = async () => [...samplesIn(await registry.metrics()).keys()].filter((name) => name.includes('_orders{'))
  t.strictSame(await orders(), [])
  for (let i = 0; i < 2; i++) t.equal((await orders()).length, orderStatuses.length)
  const { now } = performance
  for (const [seconds, count] of [
    [30, 2],
    [61, 3],
  ] as const) {
    t.intercept(performance, 'now', { value: () => now.call(performance) + 1_000 * seconds })
    await orders()
    t.equal(counts, count, 'a count is used for a minute')
  }
})

t.test('webhook messages are counted if there is a webhook', async (t) => {
  const metrics = metricsOf()
  const values = await scrape(t, metrics)
  const webhook = { waiting: () => 2, counts: () => ({ delivered: 3, failed: 1, dropped: 0 }) }
  const source = { certificates: () => [], damaged: () => [], webhook: undefined as typeof webhook | undefined }
  registerDomainMetrics(metrics, source)
  const ofWebhook = async () => [...(await values())].filter(([name]) => name.includes('_webhook_'))
  t.strictSame(await ofWebhook(), [])
  source.webhook = webhook
  t.strictSame(await ofWebhook(), [
    ['store_orders_webhook_deliveries_total{outcome="delivered"}', 3],
    ['store_orders_webhook_deliveries_total{outcome="failed"}', 1],
    ['store_orders_webhook_deliveries_total{outcome="dropped"}', 0],
    ['store_orders_webhook_waiting', 2],
  ])
})

t.test('of many domains, certificates that expire next have a series, and damaged records are counted', async (t) => {
  const metrics = metricsOf()
  const values = await scrape(t, metrics)
  const notAfter = new Date(Date.now() + 86_400_000).toISOString()
  const damage = { kind: 'domain', name: 'd0.shop.test', reason: 'it is empty' } as const
  const certificates = () => Array.from({ length: 1_500 }, (_, index) => ({ domain: `d${index}.shop.test`, notAfter }))
  registerDomainMetrics(metrics, { certificates, damaged: () => [damage, damage] })
  const found = await values()
  t.equal(of(found, 'store_orders_certificate_days_left').length, 1_000)
  t.equal(Math.round(Number(found.get('store_orders_certificate_days_left{domain="d0.shop.test"}'))), 1)
  t.equal(found.get('store_orders_domain_records_damaged'), 2)
})

t.test('of many keys, those that expire next and that expired last have a series, and all are counted', async (t) => {
  const now = Date.now()
  t.intercept(Date, 'now', { value: () => now })
  const key = (name: string, days: number) => ({ name, isReadOnly: false, endsAt: now + days * 86_400_000 })
  const given = [
    ...Array.from({ length: 1000 }, (_, index) => key(`k${index}`, 2000 - index)), // the next is the last
    ...Array.from({ length: 150 }, (_, index) => key(`old${index}`, -index)),
    key('lasting', Number.POSITIVE_INFINITY),
    key('k999', 5000), // its successor
  ]
  const current = new Map(given.map((key, index) => [String(index), key]))
  const values = await scrape(t, metricsOf({ keys: { current, isReloadFailing: false, lastReadAt: undefined } }))
  const found = await values()
  const days = of(found, 'store_orders_key_days_left')
  t.equal(days.length, 40)
  t.strictSame(days[0], ['store_orders_key_days_left{key="k998"}', days[0]?.[1]])
  t.equal(Math.round(Number(days[0]?.[1])), 1002)
  t.strictSame([days[20]?.[0], Math.round(Number(days[39]?.[1]))], ['store_orders_key_days_left{key="old0"}', -19])
  for (const [state, count] of Object.entries({ lasting: 1, expiring: 1001, expired: 150 }))
    t.equal(found.get(`store_orders_keys{state="${state}"}`), count, state)
})

t.test('the clock, the versions and the lost lines of the log are shown', async (t) => {
  const before = Date.now() / 1000
  const found = await (await scrape(t, metricsOf({ lostLines: () => 3 })))()
  t.ok(Number(found.get('store_orders_clock_timestamp_seconds')) >= before)
  t.equal(found.get('store_orders_log_lines_lost_total'), 3)
  t.notMatch([...found.keys()].join(), 'nodejs_active_', 'nothing that lists every socket')
  t.equal(found.get(`store_orders_build_info{version="1.2.3",commit="abc",node_version="${process.versions.node}"}`), 1)
})

t.test('a key file that cannot be reloaded is visible', async (t) => {
  const keys = keySet(new Map())
  const values = await scrape(t, metricsOf({ keys }))
  const shown = async () => {
    const found = await values()
    return ['reload_successful', 'read_timestamp_seconds'].map((name) => found.get(`store_orders_keys_last_${name}`))
  }
  t.strictSame(await shown(), [1, undefined])
  Object.assign(keys, { isReloadFailing: true, lastReadAt: 1_500 })
  t.strictSame(await shown(), [0, 1.5])
})

t.test('every counter exists at 0 before its first event, errors from the first request on', async (t) => {
  const { app, values } = await counted(t)
  const before = await values()
  for (const series of ['key_requests_total{key="tests"}', 'log_lines_lost_total', 'aborted_requests_total'])
    t.equal(before.get(`store_orders_${series}`), 0, series)
  await app.inject({ url, headers: { authorization } })
  const counts = of(await values(), 'http_server_request_duration_seconds_count')
  const errors = counts.flatMap(
    ([name, value]) => /error_type="\d+"/.exec(name)?.map((type) => `${type} ${value}`) ?? [],
  )
  t.strictSame(errors, ['error_type="500" 0', 'error_type="503" 0'])
})

t.test('requests over TLS, according to a trusted proxy, have the scheme https', async (t) => {
  const { app, values } = await counted(t, { trustProxy: ['127.0.0.1'] })
  for (const protocol of ['https', 'gopher'])
    await app.inject({ url: '/none', headers: { 'x-forwarded-proto': protocol, 'x-forwarded-for': '192.0.2.1' } })
  const counts = of(await values(), 'http_server_request_duration_seconds_count')
  const schemes = counts.map(([name]) => /url_scheme="(\w+)"/.exec(name)?.[1])
  t.strictSame(schemes, ['https', 'http'])
})
