// Three servers on one database: a domain's whole life, while servers are killed and stopped.
import { Agent } from 'node:https'
import { connect, createServer } from 'node:net'
import process from 'node:process'
import t, { type Test } from 'tap'
import { freePort, listen } from 'test-kit/ports'
import { startAcmeProxy } from '../../packages/custom-domains/test/fixtures/acme-proxy.ts'
import { startDnsServer } from '../../packages/custom-domains/test/fixtures/dns-server.ts'
import { startPebble } from '../../packages/custom-domains/test/fixtures/pebble.ts'
import { migratedDatabase } from '../postgres/orders.ts'
import { type Server, startBuilt, until } from './built.ts'
import { environment, leadsHere, target } from './published.ts'
import { noCertificate, type Visit, visitor } from './visitor.ts'

const names = ['one', 'two', 'three']

/** One connection, which stays open. */
function keptAgent(t: Test): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return agent
}

t.test('three instances serve every domain and challenge, and complete the work of a killed one', async (t) => {
  const { zone, proxy, orders, server, leader, restart, visit, isServed, isGone } = await threeInstances(t)

  zone['docs.shop.test'] = leadsHere
  const [follower, another] = [server(leader() + 1), server(leader() + 2)]
  t.equal((await follower.api('POST', '/domains', { domain: 'docs.shop.test' })).status, 201)
  await another.reaches('docs.shop.test', 'added')
  t.match(await another.api('POST', '/domains/docs.shop.test/verify'), { status: 202, body: { state: 'verifying' } })
  await follower.reaches('docs.shop.test', 'live')
  await isServed('docs.shop.test')
  t.equal(orders(), 1)

  const host = 'issuing.shop.test'
  zone[host] = leadsHere
  proxy.injections['/finalize-order/'] = 'silence'
  const killed = leader()
  const other = server(killed + 1)
  await other.api('POST', '/domains', { domain: host })
  t.equal((await other.api('POST', `/domains/${host}/verify`)).status, 202)
  // By then its order is stored: one whose confirmation a kill keeps from being stored is placed again.
  await until('the order is finalized', async () => proxy.requests.at(-1)?.startsWith('POST /finalize-order/'))
  await server(killed).kill()
  delete proxy.injections['/finalize-order/']
  await other.reaches(host, 'live')
  await restart(killed)
  await isServed(host)
  t.equal(orders(), 2)

  const agents = [0, 1, 2].map(() => keptAgent(t))
  for (const index of [0, 1, 2])
    t.match(await visit(index, 'docs.shop.test', { agent: agents[index] }), { status: 200 })
  t.equal((await server(0).api('DELETE', '/domains/docs.shop.test')).status, 204)
  await isGone('docs.shop.test')
  for (const index of [0, 1, 2])
    t.match(await visit(index, 'docs.shop.test', { agent: agents[index] }), { status: 421 }, 'on an open connection')

  const kept = keptAgent(t)
  t.match(await visit(2, host, { agent: kept }), { status: 200 })
  process.kill(Number(server(2).pid), 'SIGSTOP')
  t.equal((await server(0).api('DELETE', `/domains/${host}`)).status, 204)
  process.kill(Number(server(2).pid), 'SIGCONT')
  const { status } = await visit(2, host, { agent: kept })
  t.ok(status === 503 || status === 421, `a paused one responds with ${status}`)
})

/** Three servers on one database, an authority, and a load balancer for port 80 for it. */
async function threeInstances(t: Test) {
  const { address, zone } = await startDnsServer(t, { [target]: { A: ['127.0.0.1'] } })
  const db = await migratedDatabase(t)
  const ports = await Promise.all(names.map(async () => ({ http: await freePort(), https: await freePort() })))
  const httpPorts = ports.map(({ http }) => http)
  const httpPort = await startBalancer(t, httpPorts)
  const pebble = await startPebble(t, { dnsServer: address, httpPort })
  const [proxy, root] = [await startAcmeProxy(t, pebble), await pebble.root()]
  const env = {
    ...environment(address, proxy.directoryUrl, t.testdir({ 'authority.pem': proxy.ca })),
    DATABASE_URL: db.url,
    DOMAINS_ENCRYPTION_KEYS: 'a'.repeat(64),
  }
  const start = (index: number) =>
    startBuilt(t, { ...env, HTTP_PORT: String(ports[index]?.http), HTTPS_PORT: String(ports[index]?.https) })
  const servers: Server[] = []
  for (const index of names.keys()) servers.push(await start(index))
  const placeOf = (index: number) => index % servers.length
  const server = (index: number) => servers[placeOf(index)] as Server
  const visit = (index: number, host: string, options?: Visit) =>
    visitor(ports[placeOf(index)] as (typeof ports)[number], root).visit(host, options)
  const serves = (index: number, host: string) =>
    visit(index, host).then(
      ({ status }) => status === 200,
      () => false,
    )

  return {
    zone,
    proxy,
    orders: proxy.orders,
    server,
    visit,
    /** The index of the leader. */
    leader: () => servers.findIndex((each) => lastWord(each.log()) === 'this'),
    async restart(index: number) {
      servers.splice(placeOf(index), 1, await start(placeOf(index)))
    },
    async isServed(host: string) {
      for (const index of names.keys()) await until(`${host} is served by ${names[index]}`, () => serves(index, host))
    },
    /** None serves or lists the host. */
    async isGone(host: string) {
      for (const index of names.keys()) {
        await t.rejects(visit(index, host), noCertificate, `${host} is gone from ${names[index]}`)
        t.equal(await server(index).domain(host), undefined)
      }
    },
  }
}

/** Whether this instance leads, according to the last line about it. */
function lastWord(log: string): string | undefined {
  return [...log.matchAll(/"(this|another) instance (?:may )?now/g)].at(-1)?.[1]
}

/** Each connection goes to the next port that accepts it. */
async function startBalancer(t: Test, ports: number[]): Promise<number> {
  let next = 0
  const server = createServer((client) => {
    client.on('error', () => {})
    function forward(tries: number) {
      const upstream = connect(ports[next++ % ports.length] as number, '127.0.0.1')
      upstream.on('connect', () => client.pipe(upstream).pipe(client))
      upstream.on('error', () => (upstream.connecting || tries === 0 ? client.destroy() : forward(tries - 1)))
    }
    forward(ports.length)
  })
  return listen(t, server)
}
