// Three servers on one database: a domain's whole life, while servers are killed and stopped.
import { Agent } from 'node:https'
import process from 'node:process'
import t, { type Test } from 'tap'
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
  for (const [index, [state, obstruct, clear]] of kills.entries()) {
    const host = `${state}.shop.test`
    obstruct(host)
    const killed = leader()
    const other = server(killed + 1)
    await other.api('POST', '/domains', { domain: host })
    t.equal((await other.api('POST', `/domains/${host}/verify`)).status, 202)
    await other.reaches(host, state as 'verifying')
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
  for (const index of [0, 1, 2]) {
    t.match(await visit(index, 'docs.shop.test', { agent: agents[index] }), { status: 421 }, 'on an open connection')
  }

  const kept = keptAgent(t)
  t.match(await visit(2, 'issuing.shop.test', { agent: kept }), { status: 200 })
  process.kill(Number(server(2).pid), 'SIGSTOP')
  t.equal((await server(0).api('DELETE', '/domains/issuing.shop.test')).status, 204)
  process.kill(Number(server(2).pid), 'SIGCONT')
  const { status } = await visit(2, 'issuing.shop.test', { agent: kept })
  t.ok(status === 503 || status === 421, `a paused one responds with ${status}`)
  await isServed('verified.shop.test')
})
