import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { closed, dial } from 'test-kit/raw'
import { startHttp2 } from '../../../packages/custom-domains/test/fixtures/start-http2.ts'
import { createConnectionLimits } from '../../../packages/http-edge/src/connection-limits.ts'
import { attach, serverOptions } from '../../../packages/http-edge/src/server.ts'
import { authorization, build } from '../../fixtures/app.ts'

const order = '/v1/store/orders/1007'

/** With the warnings. */
function limit(maxPerAddress: number, proxies: string[] = []) {
  const warnings: string[] = []
  const onLimited = (resource: string, ip: string) => warnings.push(`${resource} ${ip}`)
  return { limits: createConnectionLimits({ maxPerAddress, proxies, onLimited }), warnings }
}

/** Connects from an address of the loopback network. @returns both ends of the connection */
async function connectFrom(t: Test, server: Server, localAddress: string): Promise<[client: Socket, server: Socket]> {
  const accepted = once(server, 'connection')
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  return [socket, (await accepted)[0]]
}

t.test('an address that holds its share of connections gets no more until one is closed', async (t) => {
  const { limits, warnings } = limit(2, ['127.0.0.3'])
  const server = attach(createServer(serverOptions), (_request, response) => response.end('served'), {
    connectionLimits: limits,
  })
  await listen(t, server)
  const from = (address: string) => connectFrom(t, server, address)
  const isServed = async (address: string) => {
    const [socket] = await from(address)
    socket.setEncoding('latin1').write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    await closed(socket)
    return received.endsWith('served')
  }
  const [first] = [await from('127.0.0.1'), await from('127.0.0.1')]
  t.notOk(await isServed('127.0.0.1'))
  t.notOk(await isServed('127.0.0.1'))
  t.ok(await isServed('127.0.0.2'), 'another address')
  for (let proxied = 0; proxied < 3; proxied++) await from('127.0.0.3')
  t.ok(await isServed('127.0.0.3'), 'a trusted proxy')
  t.strictSame(warnings, ['connections 127.0.0.1'], 'one warning')

  const [client, peer] = first
  const ended = closed(peer)
  client.resetAndDestroy()
  await ended
  t.ok(await isServed('127.0.0.1'))
})

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
  t.match(response, { ':status': 429, 'retry-after': '1' })
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
  const late = await request('2001:db8::1')
  t.equal(late.status, '100')
  late.socket.end('4')
  await closed(late.socket)
  t.equal((await request('2001:db8::1')).status, '100', 'after a body that was cut short')
})

t.test('what is given back twice counts once', async (t) => {
  const { hold, set } = limit(9).limits
  set({ maxPerAddress: 2 })
  const [first] = [hold('bodies', '192.0.2.1'), hold('bodies', '::ffff:192.0.2.1')]
  first?.()
  first?.()
  t.ok(hold('bodies', '192.0.2.1'))
  t.equal(hold('bodies', '192.0.2.1'), undefined)
})
