import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { closed } from 'test-kit/raw'
import { createConnectionLimits } from '../src/connection-limits.ts'
import { attach, serverOptions } from '../src/server.ts'

/** Connects from an address of the loopback network. @returns both ends of the connection */
async function connectFrom(t: Test, server: Server, localAddress: string): Promise<[client: Socket, server: Socket]> {
  const accepted = once(server, 'connection')
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  return [socket, (await accepted)[0]]
}

t.test('an address that holds its share of connections gets no more until one is closed', async (t) => {
  const warnings: string[] = []
  const onLimited = (resource: string, ip: string) => warnings.push(`${resource} ${ip}`)
  const connectionLimits = createConnectionLimits({ maxPerAddress: 2, proxies: ['127.0.0.3'], onLimited })
  const served: RequestListener = (_request, response) => response.end('served')
  const server = attach(createServer(serverOptions), served, { connectionLimits })
  await listen(t, server)
  const from = (address: string) => connectFrom(t, server, address)
  const isServed = async (address: string) => {
    const [socket] = await from(address)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    return (await text(socket).catch(() => '')).endsWith('served')
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

t.test('what is given back twice counts once', async (t) => {
  const { hold, set } = createConnectionLimits({ maxPerAddress: 9 })
  set({ maxPerAddress: 2 })
  const [first] = [hold('bodies', '192.0.2.1'), hold('bodies', '::ffff:192.0.2.1')]
  first?.()
  first?.()
  t.ok(hold('bodies', '192.0.2.1'))
  t.equal(hold('bodies', '192.0.2.1'), undefined)
  set({ maxPerAddress: 1 })
  t.ok(hold('bodies', '192.0.2.1'), 'what is held already does not count')
})

t.test('each resource has a warning of its own, with the plain address, at most once a minute', async (t) => {
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const warnings: string[] = []
  const onLimited = (...warning: string[]) => warnings.push(warning.join())
  const { hold } = createConnectionLimits({ maxPerAddress: 0, onLimited })
  for (now of [0, 59_900, 60_000]) {
    for (const resource of ['bodies', 'connections', 'bodies'] as const) hold(resource, '::ffff:192.0.2.1')
    t.strictSame(warnings.splice(0), now === 59_900 ? [] : ['bodies,192.0.2.1', 'connections,192.0.2.1'])
  }
})

t.test('a full server warns again once half of its connections have been closed', async (t) => {
  const warned: number[] = []
  const { open, refuse, connections } = createConnectionLimits({
    maxConnections: 4,
    onFull: () => warned.push(connections().open),
  })
  for (const close of Array.from({ length: 4 }, open)) {
    refuse()
    close()
  }
  t.strictSame(warned, [4, 2, 1])
})
