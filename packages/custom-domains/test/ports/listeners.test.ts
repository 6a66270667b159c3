import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, createServer, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { fetchOver, h2, openSession } from 'test-kit/http2'
import { listen } from 'test-kit/ports'
import { ask, converse, parseAnswer } from 'test-kit/raw'
import { openPorts as open } from '../../src/ports/listeners.ts'
import { get, openPorts, platformHost, routingOf } from '../fixtures/ports.ts'

const host = 'docs.shop.test'
const live = routingOf({ states: { [host]: 'live', 'old.shop.test': 'live' } })
const redirecting = {
  ...live,
  snapshot: { ...live.snapshot, redirects: new Map([['old.shop.test', { to: host, status: 301 }]] as const) },
}
const removed = routingOf({ states: { 'old.shop.test': 'live' } })
const request = get('/a', `Host: ${host}`)

/** Its text differs between versions of OpenSSL. */
const alert = /ALERT_HANDSHAKE_FAILURE$/

t.test("the ports' own responses are plain text and not cached", async (t) => {
  const { dial } = await openPorts(t, () => live)
  const responses = [get('/', 'Host: unknown.test'), get('/a', `Host: ${host}`)].map((text) => converse(dial(), text))
  const [error, redirect] = (await Promise.all(responses)).map(parseAnswer)
  const { date, connection, 'keep-alive': keepAlive, ...headers } = error?.headers ?? {}
  const uncached = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  const plain = { 'content-type': 'text/plain; charset=utf-8', ...uncached }
  t.strictSame(headers, { ...plain, 'content-length': String(error?.body.length) })
  t.hasStrict(redirect?.headers, { ...plain, 'content-length': '0', location: `https://${host}/a` })
})

t.test('a method that HTTP/1.1 does not have gets 501 over HTTP/2', async (t) => {
  const { dialSecurely } = await openPorts(t, () => live)
  const { status, body } = await fetchOver(openSession(t, dialSecurely(host, h2), host), { ':method': 'FOO' })
  t.strictSame([status, body], [501, 'The server does not know this method.\n'])
})

t.test('the ports report only their own responses', async (t) => {
  const { dial, dialSecurely, refused, close } = await openPorts(t, () => live)
  await converse(dial(), get('/a?key=secret', `Host: ${host}`))
  await converse(dial(), get('/b', 'Host: unknown.test'))
  await converse(dialSecurely(host), request)
  t.strictSame(refused, ['308 /a?key=secret', '421 /b'])
  const timers = t.capture(globalThis, 'setTimeout', setTimeout)
  await close()
  const waits = timers().map(({ args: [, ms] }) => ms)
  t.ok(waits.includes(5_000), 'pending requests have five seconds')
})

t.test('Strict-Transport-Security is sent over TLS only, and only if configured', async (t) => {
  for (const hstsSeconds of [31_536_000, 0]) {
    const header = hstsSeconds > 0 ? 'max-age=31536000' : undefined
    const { dial, dialSecurely } = await openPorts(t, () => redirecting, undefined, { hstsSeconds })
    const headerOf = (text: string) => parseAnswer(text).headers['strict-transport-security']
    for (const name of [host, 'old.shop.test']) {
      t.equal(headerOf(await converse(dialSecurely(name), get('/a', `Host: ${name}`))), header, name)
      t.equal(headerOf(await converse(dial(), get('/a', `Host: ${name}`))), undefined)
    }
  }
})

t.test('a request with a body is served, or redirected once the body has arrived', async (t) => {
  const { dial, dialSecurely } = await openPorts(t, () => live)
  const post = `POST /a HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 5\r\n\r\nhello`
  t.match(await ask(dialSecurely(host), post), { status: 200, body: '/a hello' })
  const socket = dial()
  t.match(await ask(socket, post), { status: 308 })
  t.match(await ask(socket, post), { status: 308 }, 'the connection stays usable')
  const large = 'POST /a HTTP/1.1\r\nHost: unknown.test\r\nContent-Length: 2000000\r\n\r\n'
  t.match(await ask(dial(), large), { status: 421, headers: { connection: 'close' } })
})

t.test('a name that is not live gets an alert instead of a certificate', async (t) => {
  const routing = routingOf({ states: { [host]: 'live', 'failed.shop.test': 'failed' } })
  const { dialSecurely, certify } = await openPorts(t, () => routing)
  await certify('removed.shop.test')
  for (const name of ['unknown.test', 'failed.shop.test', 'removed.shop.test', 'not a host', '']) {
    const socket = dialSecurely(name, { rejectUnauthorized: false })
    const [error] = await once(socket, 'error')
    t.match(error.code, alert, name)
  }
})

t.test('a removal takes effect with the next request, also on open connections', async (t) => {
  let routing = live
  const { dialSecurely } = await openPorts(t, () => routing)
  const socket = dialSecurely(host)
  t.equal((await ask(socket, request)).status, 200)
  routing = removed
  t.equal((await ask(socket, request)).status, 421)
  routing = live
  t.equal((await ask(socket, request)).status, 200)
})

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
  t.test(`a session of ${maxVersion} is not resumed, so another live host gets 421`, async (t) => {
    const { dialSecurely } = await openPorts(t, () => live)
    const first = dialSecurely(host, { maxVersion })
    const [[session]] = await Promise.all([once(first, 'session'), ask(first, request)])
    const second = dialSecurely(host, { maxVersion, session })
    t.equal((await ask(second, get('/', 'Host: old.shop.test'))).status, 421)
    t.notOk(second.isSessionReused())
  })
}

/** A server whose requests wait for the test to respond. */
function waiting() {
  const requests = new EventEmitter()
  return {
    serve: (_request: unknown, response: ServerResponse) => requests.emit('request', response),
    async next(send: () => unknown): Promise<ServerResponse> {
      const arrived = once(requests, 'request')
      send()
      return (await arrived)[0]
    },
  }
}

t.test('closing completes pending responses, then closes their connections', async (t) => {
  const { serve, next } = waiting()
  const { dial, dialSecurely, close } = await openPorts(t, () => live, serve, { graceMs: 60_000 })
  const sockets = [dial(), dialSecurely(host)]
  const responses: ServerResponse[] = []
  for (const [index, name] of [platformHost, host].entries())
    responses.push(await next(() => sockets[index]?.write(get('/', `Host: ${name}`))))
  for (const response of responses) response.write('begun, ')
  const closed = close()
  for (const response of responses) response.end('ended')
  for (const socket of sockets) t.match(await text(socket), /begun, .*ended/s)
  await closed
})

t.test('closing waits no longer than the grace period, even for a handshake that never begins', async (t) => {
  const { serve, next } = waiting()
  const { ports, dial, close } = await openPorts(t, () => live, serve, { graceMs: 20 })
  const timeouts = t.capture(Socket.prototype, 'setTimeout', Socket.prototype.setTimeout)
  const silent = connect(ports.https, '127.0.0.1')
  await once(silent, 'connect')
  const unanswered = dial()
  await next(() => unanswered.write(get('/', `Host: ${platformHost}`)))
  await close()
  t.strictSame(await Promise.all([silent, unanswered].map(text)), ['', ''])
  t.ok(
    timeouts().some(({ args: [ms, end] }) => ms === 10_000 && end),
    'without a close, it has ten seconds',
  )
})

t.test('if a port is in use, the other one is closed again', async (t) => {
  const silent = { serve: () => {}, refuse: () => {}, onRefused: () => {} }
  const port = await listen(t, createServer())
  for (const name of ['http', 'https']) {
    const opening = open(silent, { host: '127.0.0.1', ports: { http: 0, https: 0, [name]: port } })
    await t.rejects(opening, { code: 'EADDRINUSE', syscall: 'listen', port })
  }
})
