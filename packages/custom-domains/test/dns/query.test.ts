import { promises } from 'node:dns'
import dnsPacket, { type Packet } from 'dns-packet'
import t from 'tap'
import { deferred } from 'test-kit/until'
import { dnsQuery } from '../../src/dns/query.ts'
import { keepCollecting } from '../fixtures/collect.ts'
import { serveDns } from '../fixtures/dns-server.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'

const host = 'docs.shop.test'
const unanswered = { message: `no answer from DNS for ${host}` }
const answers = [{ name: host, type: 'A' as const, ttl: 60, data: '192.0.2.1' }]
const right: Packet = { answers, flags: dnsPacket.RECURSION_AVAILABLE }
const truncated: Packet = { flags: dnsPacket.TRUNCATED_RESPONSE }
const otherId = ({ id = 0 }: Packet) => (id + 1) % 0x10000
/** The bytes of the right response over TCP, with changes. */
const streamOf = ({ id, questions = [] }: Packet, changes: Packet = {}) =>
  dnsPacket.streamEncode({ type: 'response', id, questions, ...right, ...changes } as Packet)

/** One query, which may take as long as it likes. */
const ask = (...servers: string[]) => dnsQuery({ servers, timeoutMs: 60_000, tries: 1 })(host, 'A', neverAborted)

t.test('responses to other queries are ignored', async (t) => {
  const { server } = await serveDns(t, (_question, query) => [
    { id: otherId(query) },
    { questions: [{ type: 'A', name: 'other.test' }] },
    { questions: [{ type: 'AAAA', name: host }] },
    { questions: [] },
    { ...query },
    right,
  ])
  t.match(await ask(server), { answers })
})

t.test('a response over TCP may arrive in chunks, but not be missing or to another query', async (t) => {
  const overTcp = async (chunksOf: (query: Packet) => Buffer[]) =>
    (await serveDns(t, () => truncated, { overTcp: chunksOf })).server
  const inChunks = await overTcp((query) => {
    const bytes = streamOf(query)
    return [bytes.subarray(0, 1), bytes.subarray(1, 20), bytes.subarray(20)]
  })
  t.match(await ask(inChunks), { answers })
  const closed = { ...unanswered, cause: { message: 'the connection was closed' } }
  await t.rejects(ask(await overTcp(() => [])), closed)
  const wrong = await overTcp((query) => [streamOf(query, { id: otherId(query) })])
  await t.rejects(ask(wrong), { cause: { message: 'the response is to another query' } })
})

t.test('a server that does not respond times out, whenever garbage is collected', async (t) => {
  const { server } = await serveDns(t, () => undefined)
  keepCollecting(t)
  const query = dnsQuery({ servers: [server], timeoutMs: 100, tries: 1 })
  await t.rejects(query(host, 'A', neverAborted), unanswered)
})

t.test('the next server is queried after a REFUSED, also over IPv6', async (t) => {
  const refusing = await serveDns(t, () => ({ flags: 5 }))
  const good = await serveDns(t, () => right, { address: '::1' })
  t.match(await ask(refusing.server, good.server), { answers })
  await t.rejects(ask(refusing.server), { cause: { message: 'REFUSED' } })
})

t.test('without servers, those of the system are queried, at port 53 by default', async (t) => {
  const { server } = await serveDns(t, () => right)
  t.intercept(promises.Resolver.prototype, 'getServers', { value: () => [server] })
  t.match(await dnsQuery({})(host, 'A', neverAborted), { answers })
  t.intercept(promises.Resolver.prototype, 'getServers', { value: () => ['127.0.0.1', '::1'] })
  await t.rejects(dnsQuery({ timeoutMs: 50, tries: 1 })(host, 'A', neverAborted), unanswered)
})

t.test('a resolver that does not respond delays a query once, and is queried last from then on', async (t) => {
  const silent = await serveDns(t, () => undefined)
  const good = await serveDns(t, () => right)
  const query = dnsQuery({ servers: [silent.server, good.server], timeoutMs: 60_000, tries: 1 })
  for (const _time of [1, 2]) t.match(await query(host, 'A', neverAborted), { answers })
  t.equal(silent.queries.length, 1)
  const now = performance.now()
  for (const elapsed of [500_000, 600_000]) {
    t.intercept(performance, 'now', { value: () => now + elapsed })
    t.match(await query(host, 'A', neverAborted), { answers })
    t.equal(silent.queries.length, elapsed < 600_000 ? 1 : 2, 'it may respond again minutes later')
  }
})

t.test('a response that is late counts, although the next resolver fails', async (t) => {
  const { promise, resolve } = deferred<void>()
  const late = await serveDns(t, () => promise.then(() => right))
  const failing = await serveDns(t, () => {
    resolve()
    return { flags: 2 }
  })
  t.match(await ask(late.server, failing.server), { answers })
})
