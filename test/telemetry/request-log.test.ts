import { hostname } from 'node:os'
import process from 'node:process'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { abandon } from 'test-kit/raw'
import { block } from 'test-kit/until'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { buildDashboard, shop } from '../domains/dashboard.ts'
import { authorization, build, storeOf } from '../fixtures/app.ts'

const url = '/v1/store/orders'

async function logged(t: Test, level = 'info', options: Parameters<typeof build>[1] = {}) {
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger: { ...logger, level }, ...options })
  return { app, lines }
}

t.test('each request gets one log line with its details and outcome', async (t) => {
  const { app, lines } = await logged(t)
  app.get('/busy', async () => block(20))
  const headers = { authorization, 'x-request-id': 'one' }
  const { body } = await app.inject({ url: `${url}?page=2`, headers })
  const [{ time, durationMs, ...line } = {}, ...others] = lines
  t.strictSame(others, [])
  t.strictSame(line, {
    level: 30,
    pid: process.pid,
    hostname: hostname(),
    reqId: 'one',
    remoteAddress: '127.0.0.1',
    method: 'GET',
    path: url,
    operationId: 'listOrders',
    key: 'tests',
    status: 200,
    bytes: body.length,
    msg: 'request completed',
  })
  t.ok(Math.abs(Date.now() - Number(time)) < 60_000)
  t.match(durationMs, /^\d+(\.\d{1,3})?$/)
  await app.inject('/busy')
  t.ok(Number(lines.at(-1)?.durationMs) >= 20, 'milliseconds')
  for (const sent of [{}, { authorization: 'Bearer wrong' }]) {
    lines.length = 0
    await app.inject({ url, headers: sent })
    t.equal(lines.length, 1, 'without a valid key, too')
  }
})

t.test('the address of a client has no port', async (t) => {
  const { app, lines } = await logged(t, 'info', { trustProxy: ['127.0.0.1'] })
  await app.inject({ url, headers: { 'x-forwarded-for': '203.0.113.8:50001' } })
  t.equal(lines.at(-1)?.remoteAddress, '203.0.113.8')
})

t.test('the bytes are those of the body', async (t) => {
  const { app, lines } = await logged(t)
  const { headers } = await app.inject({ url, headers: { authorization } })
  const requests = [
    { url, headers: { authorization, 'accept-encoding': 'gzip' } },
    { method: 'HEAD', url, headers: { authorization } },
    { url, headers: { authorization, 'if-none-match': String(headers.etag) } },
    { method: 'DELETE', url: `${url}/1007`, headers: { authorization } },
    { method: 'DELETE', url: `${url}/1007`, headers: { authorization } },
    { method: 'OPTIONS', url },
    { url: '/v1/pets/504', headers: { authorization } },
    { url: '/openapi.json' },
    { url: '/docs' },
    { url: '/nowhere' },
  ] as const
  for (const request of requests) {
    lines.length = 0
    const { rawPayload, statusCode } = await app.inject(request)
    t.match(lines.at(-1), { status: statusCode, bytes: rawPayload.length }, JSON.stringify(request))
  }
})

t.test('the line of an error has its code, and what that does not tell', async (t) => {
  let outage: Error = new StoreUnavailableError('every connection is busy', 1)
  const orders = { ...(await storeOf(t)), list: () => Promise.reject(outage) }
  const { app, lines } = await logged(t, 'info', { orders })
  const why = async (request: InjectOptions) => {
    await app.inject({ url, ...request })
    const { code, reason } = lines.at(-1) ?? {}
    return [code, reason]
  }
  const headers = { authorization }
  for (const [sent, reason] of [
    [{}, 'There is no Authorization header.'],
    [{ authorization: 'Basic eDp5' }, 'The Authorization header has no bearer token.'],
    [{ authorization: 'Bearer x' }, 'The API key is not valid.'],
  ] as const)
    t.strictSame(await why({ headers: sent }), ['unauthorized', reason])
  t.strictSame(await why({ url: '/v1/store/orders/1', method: 'DELETE', headers }), ['order_not_found', undefined])
  const invalid = await why({ url: '/v1/store/orders/1e3', method: 'DELETE', headers })
  t.match(invalid, ['invalid_request', /orderId/])
  t.strictSame(await why({ url: '/nowhere' }), ['not_found', undefined])
  t.strictSame(await why({ method: 'PUT' }), ['method_not_allowed', undefined])
  t.strictSame(await why({ headers }), ['unavailable', 'every connection is busy'])
  outage = new StoreUnavailableError('PostgreSQL is unreachable', 1, { cause: new Error('ECONNREFUSED') })
  t.strictSame(await why({ headers }), ['unavailable', 'PostgreSQL is unreachable: ECONNREFUSED'])
  t.strictSame(await why({ url: '/openapi.json' }), [undefined, undefined])
})

t.test('the line of a 5xx that a handler returns has its message', async (t) => {
  const { lines, logger } = capturedLog()
  const { call } = await buildDashboard(t, { ...shop, fault: 'the disk is full' }, { logger })
  await call('POST', '/domains/shop.test/verify')
  t.match(lines.at(-1), { status: 503, code: 'not_saved', reason: /the disk is full/ })
})

t.test('a client that disconnects before the end of its response gets a line', async (t) => {
  const { app, lines } = await logged(t)
  let send = () => {}
  app.get('/slow', (_request, reply) => {
    send = () => reply.send('late')
  })
  await abandon(t, app, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  send()
  const [line, ...others] = lines.filter(({ msg }) => !String(msg).startsWith('Server listening'))
  t.strictSame(others, [])
  t.match(line, { msg: 'request aborted', path: '/slow', status: 200, remoteAddress: '127.0.0.1' })
  t.notOk('bytes' in (line ?? {}))
})

t.test('a connection that is lost before its address is known has no address', async (t) => {
  const { app, lines } = await logged(t)
  app.addHook('onRequest', async ({ raw }) => {
    Object.assign(raw.socket, { remoteAddress: undefined })
  })
  await app.inject('/nowhere')
  t.match(lines, [{ remoteAddress: null }])
  t.notMatch(Object.keys(lines[0] ?? {}).join(), /operationId|key/, 'nor, here, an operation or a key')
})

t.test('requests are logged at info, and probes at debug', async (t) => {
  for (const [level, shown] of Object.entries({ fatal: [], error: [], warn: [], info: [30], debug: [30, 20] })) {
    const { app, lines } = await logged(t, level)
    app.get('/probe', { config: { isProbe: true } }, () => 'ok')
    t.equal((await app.inject('/nowhere')).statusCode, 404)
    await app.inject('/probe')
    const levels = lines.map((line) => line.level)
    t.strictSame(levels, shown, level)
  }
})
