import { createSocket } from 'node:dgram'
import { promises } from 'node:dns'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import dnsPacket, { type Packet } from 'dns-packet'
import t, { type Test } from 'tap'
import { deferred } from '../../../../test/fixtures/until.ts'
import { dnsQuery } from '../../src/dns/query.ts'
import { keepCollecting } from '../fixtures/collect.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const host = 'docs.shop.test'
const answers = [{ name: host, type: 'A', ttl: 60, data: '192.0.2.1' }] as const

/** Responds to each query over UDP with these packets, in order, and over TCP with these bytes. */
async function scripted(
  t: Test,
  respond: (query: Packet) => Packet[] | Promise<Packet[]>,
  overTcp: (query: Packet) => Buffer[] = () => [],
  address = '127.0.0.1',
) {
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', async (message) => {
      for (const bytes of overTcp(dnsPacket.streamDecode(message))) {
        socket.write(bytes)
        await new Promise((resolve) => setImmediate(resolve))
      }
      socket.end()
    })
  })
  const open = () =>
    createSocket(address === '::1' ? 'udp6' : 'udp4', async (message, { port }) => {
      for (const packet of await respond(dnsPacket.decode(message))) udp.send(dnsPacket.encode(packet), port, address)
    })
  let udp = open()
  t.teardown(() => {
    udp.close()
    tcp.close()
  })
  await once(udp.bind(0, address), 'listening')
  // Its port may be in use for TCP.
  while (!(await isListening(tcp, udp.address().port, address))) {
    udp.close()
    udp = open()
    await once(udp.bind(0, address), 'listening')
  }
  const { port } = udp.address()
  return address === '::1' ? `[::1]:${port}` : `${address}:${port}`
}

async function isListening(server: Server, port: number, address: string): Promise<boolean> {
  try {
    await once(server.listen(port, address), 'listening')
    return true
  } catch {
    return false
  }
}

const answerTo = ({ id, questions }: Packet): Packet => ({
  type: 'response',
  ...{ id, questions, answers: [...answers], flags: dnsPacket.RECURSION_AVAILABLE },
})
const truncated = (query: Packet): Packet => ({
  ...answerTo(query),
  answers: [],
  flags: dnsPacket.TRUNCATED_RESPONSE,
})
const once1 = { timeoutMs: 60_000, tries: 1 }

t.test('responses to other queries are ignored', async (t) => {
  const server = await scripted(t, (query) => [
    { ...answerTo(query), id: (Number(query.id) + 1) % 0x10000, answers: [] },
    { ...answerTo(query), questions: [{ type: 'A', name: 'other.test' }], answers: [] },
    { ...answerTo(query), questions: [{ type: 'AAAA', name: host }], answers: [] },
    { ...answerTo(query), questions: [], answers: [] },
    { ...query, answers: [] },
    answerTo(query),
  ])
  t.match(await dnsQuery({ servers: [server], ...once1 })(host, 'A', neverAborted), { answers })
})

t.test('a response over TCP may arrive in chunks, and after another', async (t) => {
  const server = await scripted(
    t,
    (query) => [truncated(query)],
    (query) => {
      const bytes = dnsPacket.streamEncode(answerTo(query))
      return [bytes.subarray(0, 1), bytes.subarray(1, 20), bytes.subarray(20)]
    },
  )
  t.match(await dnsQuery({ servers: [server], ...once1 })(host, 'A', neverAborted), { answers })
  const closing = await scripted(t, (query) => [truncated(query)])
  await t.rejects(dnsQuery({ servers: [closing], ...once1 })(host, 'A', neverAborted), {
    message: `no answer from DNS for ${host}`,
    cause: { message: 'the connection was closed' },
  })
  const other = await scripted(
    t,
    (query) => [truncated(query)],
    (query) => [dnsPacket.streamEncode({ ...answerTo(query), id: (Number(query.id) + 1) % 0x10000 })],
  )
  await t.rejects(dnsQuery({ servers: [other], ...once1 })(host, 'A', neverAborted), {
    cause: { message: 'the response is to another query' },
  })
})

t.test('a server that does not respond times out, whenever garbage is collected', async (t) => {
  const query = dnsQuery({ servers: [await scripted(t, () => [])], timeoutMs: 100, tries: 1 })
  keepCollecting(t)
  await t.rejects(query(host, 'A', neverAborted), { message: `no answer from DNS for ${host}` })
})

t.test('the next server is queried after a REFUSED, also over IPv6', async (t) => {
  const refusing = await scripted(t, (query) => [{ ...answerTo(query), answers: [], flags: 5 }])
  const good = await scripted(t, (query) => [answerTo(query)], undefined, '::1')
  t.match(await dnsQuery({ servers: [refusing, good], ...once1 })(host, 'A', neverAborted), { answers })
  await t.rejects(dnsQuery({ servers: [refusing], ...once1 })(host, 'A', neverAborted), {
    cause: { message: 'REFUSED' },
  })
})

t.test('without servers, those of the system are queried, at port 53 by default', async (t) => {
  const server = await scripted(t, (query) => [answerTo(query)])
  t.intercept(promises.Resolver.prototype, 'getServers', { value: () => [server] })
  t.match(await dnsQuery({})(host, 'A', neverAborted), { answers })
  t.intercept(promises.Resolver.prototype, 'getServers', { value: () => ['127.0.0.1', '::1'] })
  await t.rejects(dnsQuery({ timeoutMs: 50, tries: 1 })(host, 'A', neverAborted), {
    message: `no answer from DNS for ${host}`,
  })
})

t.test('a resolver that does not respond delays a query once, and is queried last from then on', async (t) => {
  let silent = 0
  const silence = await scripted(t, () => {
    silent++
    return []
  })
  const good = await scripted(t, (query) => [answerTo(query)])
  const query = dnsQuery({ servers: [silence, good], timeoutMs: 60_000, tries: 1 })
  t.match(await query(host, 'A', neverAborted), { answers })
  t.match(await query(host, 'A', neverAborted), { answers })
  t.equal(silent, 1)
  const now = performance.now()
  t.intercept(performance, 'now', { value: () => now + 600_000 })
  t.match(await query(host, 'A', neverAborted), { answers })
  t.equal(silent, 2, 'it may respond again minutes later')
})

t.test('a response that is late counts, although the next resolver fails', async (t) => {
  const { promise, resolve } = deferred<void>()
  const late = await scripted(t, async (query) => {
    await promise
    return [answerTo(query)]
  })
  const failing = await scripted(t, (query) => {
    resolve()
    return [{ ...answerTo(query), answers: [], flags: 2 }]
  })
  const query = dnsQuery({ servers: [late, failing], timeoutMs: 60_000, tries: 1 })
  t.match(await query(host, 'A', neverAborted), { answers })
})
