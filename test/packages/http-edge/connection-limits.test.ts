import { once } from 'node:events'
import t from 'tap'
import { closed, dial } from 'test-kit/raw'
import { startHttp2 } from '../../../packages/custom-domains/test/fixtures/start-http2.ts'
import { countIncomplete } from '../../../packages/http-edge/src/body.ts'
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

t.test('a body that has arrived counts no more, however long its response takes', async (t) => {
  const { limits } = limit(1)
  const counted: boolean[] = []
  const { server, session } = await startHttp2(t, (request) => {
    counted.push(countIncomplete(request, '192.0.2.1', limits))
    request.resume().once('end', () => server.emit('arrived'))
  })
  const client = session()
  for (let requests = 0; requests < 2; requests++) {
    const arrived = once(server, 'arrived')
    client.request({ ':method': 'POST', ':path': '/' }).end('1')
    await arrived
  }
  t.strictSame(counted, [true, true])
})

t.test('behind a trusted proxy, incomplete bodies count for its clients, IPv6 by /64', async (t) => {
  const { limits: connectionLimits, warnings } = limit(1, ['127.0.0.1'])
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
  const text = String((await once(socket, 'data'))[0])
  t.match(text, /^HTTP\/1\.1 429 .*\r\nconnection: close\r\n/is, 'it is not read')
  t.match(text, /\r\nretry-after: 1\r\n.*"rate_limited"/is)
  t.strictSame(warnings, ['bodies 2001:db8::ffff'], 'one warning')
  waiting.socket.write('hello')
  await once(waiting.socket, 'data')
  const late = await request('2001:db8::1')
  t.equal(late.status, '100')
  late.socket.end('4')
  await closed(late.socket)
  t.equal((await request('2001:db8::1')).status, '100', 'after a body that was cut short')
})
