// Three servers on one database: a domain's whole life, while servers are killed and stopped and authorities fail.
import { Agent } from 'node:https'
import process from 'node:process'
import t, { type Test } from 'tap'
import { until } from './built.ts'
import { threeInstances } from './instances.ts'
import { leadsHere } from './published.ts'

/** One connection, which stays open. */
function keptAgent(t: Test): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  return agent
}

t.test('three instances serve every domain and challenge, and complete the work of a killed one', async (t) => {
  const { zone, proxy, orders, server, kill, leader, restart, visit, isServed, isGone } = await threeInstances(t)

  zone['docs.shop.test'] = leadsHere
  const [follower, another] = [server(leader() + 1), server(leader() + 2)]
  t.equal((await follower.api('POST', '/domains', { domain: 'docs.shop.test' })).status, 201)
  await another.reaches('docs.shop.test', 'added')
  t.match(await another.api('POST', '/domains/docs.shop.test/verify'), { status: 202, body: { state: 'verifying' } })
  await follower.reaches('docs.shop.test', 'live')
  await isServed('docs.shop.test')
  t.equal(orders(), 1)

  const kills: [state: string, obstruct: (host: string) => void, clear: (host: string) => void][] = [
    [
      'verifying',
      (host) => {
        zone[host] = 'silence'
      },
      (host) => {
        zone[host] = leadsHere
      },
    ],
    [
      'verified',
      (host) => {
        proxy.injections['/dir'] = { meta: { caaIdentities: ['authority.example'] } }
        zone[host] = { ...leadsHere, CAA: 'silence' }
      },
      (host) => {
        delete proxy.injections['/dir']
        zone[host] = leadsHere
      },
    ],
    [
      'issuing',
      (host) => {
        zone[host] = leadsHere
        proxy.injections['/finalize-order/'] = 'silence'
      },
      () => delete proxy.injections['/finalize-order/'],
    ],
  ]
  const finalizations = () => proxy.requests.filter((request) => request.startsWith('POST /finalize-order/')).length
  for (const [index, [state, obstruct, clear]] of kills.entries()) {
    const host = `${state}.shop.test`
    const before = finalizations()
    obstruct(host)
    const killed = leader()
    const other = server(killed + 1)
    await other.api('POST', '/domains', { domain: host })
    t.equal((await other.api('POST', `/domains/${host}/verify`)).status, 202)
    await other.reaches(host, state as 'verifying')
    // By then its order is stored: one whose confirmation a kill keeps from being stored is placed again.
    if (state === 'issuing') await until('the order is finalized', async () => finalizations() > before)
    await kill(killed)
    clear(host)
    await other.reaches(host, 'live')
    await restart(killed)
    await isServed(host)
    t.equal(orders(), index + 2, `killed while ${state}`)
  }

  const agents = [0, 1, 2].map(() => keptAgent(t))
  for (const index of [0, 1, 2])
    t.match(await visit(index, 'docs.shop.test', { agent: agents[index] }), { status: 200 })
  t.equal((await server(0).api('DELETE', '/domains/docs.shop.test')).status, 204)
  await isGone('docs.shop.test')
  for (const index of [0, 1, 2])
    t.match(await visit(index, 'docs.shop.test', { agent: agents[index] }), { status: 421 }, 'on an open connection')

  const kept = keptAgent(t)
  t.match(await visit(2, 'issuing.shop.test', { agent: kept }), { status: 200 })
  process.kill(Number(server(2).pid), 'SIGSTOP')
  t.equal((await server(0).api('DELETE', '/domains/issuing.shop.test')).status, 204)
  process.kill(Number(server(2).pid), 'SIGCONT')
  const { status } = await visit(2, 'issuing.shop.test', { agent: kept })
  t.ok(status === 503 || status === 421, `a paused one responds with ${status}`)
  await isServed('verified.shop.test')
})

t.test('of two authorities that fail in turn, each gets one order a domain, while servers are killed', async (t) => {
  const { zone, proxy, fallback, server, kill, leader, restart, isServed } = await threeInstances(t, {
    hasFallback: true,
  })
  const hostsOf = (name: string) => Array.from({ length: 6 }, (_, index) => `${name}${index}.shop.test`)
  const fail = ({ injections }: typeof proxy) => Object.assign(injections, { '/': { status: 503 } })
  const recover = ({ injections }: typeof proxy) => delete injections['/']
  const becomeSilent = ({ injections }: typeof proxy) => Object.assign(injections, { '/finalize-order/': 'silence' })
  const answer = ({ injections }: typeof proxy) => delete injections['/finalize-order/']

  const publish = (hosts: readonly string[]) =>
    Promise.all(
      hosts.map(async (host, index) => {
        zone[host] = leadsHere
        t.equal((await server(index).api('POST', '/domains', { domain: host })).status, 201)
        t.equal((await server(index).api('POST', `/domains/${host}/verify`)).status, 202)
      }),
    )

  /** By then, all orders are stored: an order whose confirmation a kill keeps from being stored is placed again. */
  async function killInFinalization({ requests }: typeof proxy, count: number): Promise<number> {
    const finalized = () => new Set(requests.filter((request) => request.startsWith('POST /finalize-order/'))).size
    await until(`${count} orders are finalized`, async () => finalized() === count)
    const killed = leader()
    await kill(killed)
    return killed
  }

  /** On a busy machine, requests to a silent authority may end before the kill: then a user need not wait, either. */
  async function areLive(hosts: readonly string[], index: number) {
    for (const host of hosts)
      await until(`${host} is live`, async () => {
        const { state } = (await server(index).domain(host)) ?? {}
        if (state === 'failed') await server(index).api('POST', `/domains/${host}/verify`)
        return state === 'live'
      })
  }

  const first = hostsOf('first')
  fail(fallback)
  becomeSilent(proxy)
  await publish(first)
  const one = await killInFinalization(proxy, first.length)
  answer(proxy)
  fail(proxy)
  becomeSilent(fallback)
  recover(fallback)
  const two = await killInFinalization(fallback, first.length)
  answer(fallback)
  fail(fallback)
  recover(proxy)
  await areLive(first, 3 - one - two)
  t.strictSame([proxy.orders(), fallback.orders()], [first.length, first.length], 'each of them is completed')

  for (const index of [one, two]) await restart(index)
  for (const host of first) await isServed(host)

  const second = hostsOf('second')
  fail(proxy)
  recover(fallback)
  await publish(second)
  await areLive(second, one)
  for (const host of second) await isServed(host)
  t.strictSame([proxy.orders(), fallback.orders()], [first.length, first.length + second.length])
})
