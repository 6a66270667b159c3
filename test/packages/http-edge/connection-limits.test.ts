import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import t from 'tap'
import { closed, dial } from 'test-kit/raw'
import { startHttp2 } from '../../../packages/custom-domains/test/fixtures/start-http2.ts'
import { createConnectionLimits } from '../../../packages/http-edge/src/connection-limits.ts'
import { authorization, build } from '../../fixtures/app.ts'

const order = '/v1/store/orders/1007'

/** With the warnings. */
function limit(maxPerAddress: number, proxies: string[] = []) {
  const warnings: string[] = []
  const onLimited = (resource: string, ip: string) => warnings.push(`${resource} ${ip}`)
  return { limits: createConnectionLimits({ maxPerAddress, proxies, onLimited }), warnings }
}

t.test('a connection beyond the share is closed before its TLS handshake', async (t) => {
  const { server, session, dial } = await startHttp2(t, () => {}, {}, limit(1).limits)
  server.on('clientError', (_error, socket) => socket.destroy())
  await once(session(), 'connect')
  await closed(dial())
  t.pass('it is closed')
})

t.test('over HTTP/2, an address that holds its share of incomplete bodies gets 429 for further ones', async (t) => {
  const { limits, warnings } = limit(2)
  const app = await build(t, { connectionLimits: limits })
  await app.ready()
  const { session } = await startHttp2(t, app.routing as RequestListener)
  const client = session()
  const ask = (endStream = false) =>
    client.request({ ':method': 'DELETE', ':path': order, authorization }, { endStream }).on('error', () => {})
  const statusOf = async (stream: ReturnType<typeof ask>) => {
    const [response] = await once(stream.resume(), 'response')
    return response[':status']
  }
  const [first, second] = [ask(), ask()]
  const third = ask()
  const [response] = await once(third, 'response')
  t.hasStrict(response, { ':status': 429, 'retry-after': '1' })
  third.setEncoding('utf8')
  t.match(JSON.parse((await once(third, 'data'))[0]), { code: 'rate_limited', status: 429 })
  t.equal(await statusOf(ask()), 429)
  t.strictSame(warnings, ['bodies 127.0.0.1'], 'one warning')
  t.equal(await statusOf(ask(true)), 204, 'a request without a body')

  first.end('body')
  t.equal(await statusOf(first), 404, 'the order has been cancelled')
  const fourth = ask()
  t.equal(await statusOf(ask()), 429, 'only one body was complete')
  second.close()
  fourth.close()
  for (let status = 429; status === 429; ) {
    const next = ask()
    next.end('body')
    status = await statusOf(next)
  }
})

t.test('behind a trusted proxy, incomplete bodies count for its clients, IPv6 by /64', async (t) => {
  const { limits: connectionLimits } = limit(1, ['127.0.0.1'])
  const app = await build(t, { connectionLimits, trustProxy: ['127.0.0.1'] })
  async function request(client: string, ...headers: string[]) {
    const { socket, arrived } = await dial(t, app)
    const server = await arrived(0)
    const lines = [`DELETE ${order} HTTP/1.1`, 'Host: x', `Authorization: ${authorization}`]
    const all = [...lines, `X-Forwarded-For: ${client}`, 'Expect: 100-continue', ...headers, 'Content-Length: 5']
    socket.write(`${all.join('\r\n')}\r\n\r\n`)
    return { socket, server, status: String((await once(socket, 'data'))[0]).slice(9, 12) }
  }
  async function reset({ socket, server }: Awaited<ReturnType<typeof request>>) {
    const ended = closed(server)
    socket.resetAndDestroy()
    await ended
  }
  for (const headers of [[], ['Connection: Upgrade', 'Upgrade: websocket']]) {
    const waiting = await request('2001:db8::1', ...headers)
    t.equal(waiting.status, '100')
    t.equal((await request('2001:db8::ffff')).status, '429', 'the same network')
    const other = await request('2001:db8:0:1::1')
    t.equal(other.status, '100', 'another network')
    await reset(waiting)
    await reset(other)
  }
  const waiting = await request('2001:db8::1')
  const { socket } = await dial(t, app)
  const lines = [`DELETE ${order} HTTP/1.1`, 'Host: x', 'X-Forwarded-For: 2001:db8::ffff', 'Content-Length: 5']
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 429 .*\r\nconnection: close\r\n/is, 'it is not read')
  await reset(waiting)
  const late = await request('2001:db8::1')
  t.equal(late.status, '100')
  late.socket.end('4')
  await closed(late.socket)
  t.equal((await request('2001:db8::1')).status, '100', 'after a body that was cut short')
})
