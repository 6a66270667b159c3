// Three servers, one database: a domain's whole life, while servers are killed and stopped.
import { Agent } from 'node:https'
import process from 'node:process'
import t from 'tap'
import { type Server, until } from '../fixtures/built.ts'
import { instances, leadsHere } from '../fixtures/published.ts'
import { noCertificate } from '../fixtures/visitor.ts'

const names = ['one', 'two', 'three']

/** Whether the last line about it says that this instance obtains the certificates, or another one. */
function lastWord(log: string): string | undefined {
  return [...log.matchAll(/"(this|another) instance (?:may )?now/g)].at(-1)?.[1]
}

t.test('three instances serve every domain, answer every challenge, and finish what a killed one began', async (t) => {
  const world = await instances(t, names)
  const { zone, proxy, visitors } = world
  const servers: Server[] = []
  for (const index of names.keys()) servers.push(await world.start(index))
  const server = (index: number) => servers[index % servers.length] as Server
  const isServed = (host: string) =>
    until(`${host} is served everywhere`, async () => {
      const visits = visitors.map(({ visit }) => visit(host).catch(() => undefined))
      return (await Promise.all(visits)).every((visit) => visit?.status === 200)
    })

  zone['docs.shop.test'] = leadsHere
  await server(0).api('POST', '/domains', { domain: 'docs.shop.test' })
  t.match(await server(1).api('POST', '/domains/docs.shop.test/verify'), { status: 202, body: { state: 'verifying' } })
  await server(2).reaches('docs.shop.test', 'live')
  await isServed('docs.shop.test')
  t.equal(world.orders(), 1)

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
  for (const [state, obstruct, clear] of kills) {
    const host = `${state}.shop.test`
    obstruct(host)
    const worker = servers.findIndex(({ log }) => lastWord(log()) === 'this')
    const other = server(worker + 1)
    await other.api('POST', '/domains', { domain: host })
    t.equal((await other.api('POST', `/domains/${host}/verify`)).status, 202)
    await other.reaches(host, state as 'verifying')
    await server(worker).kill()
    clear(host)
    await other.reaches(host, 'live')
    servers.splice(worker, 1, await world.start(worker))
    await isServed(host)
    t.pass(`killed while ${state}`)
  }

  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (const { visit } of visitors) t.match(await visit('docs.shop.test', { agent }), { status: 200 })
  t.equal((await server(0).api('DELETE', '/domains/docs.shop.test')).status, 204)
  for (const { visit } of visitors) {
    await t.rejects(visit('docs.shop.test'), noCertificate)
  }
  t.match(await visitors[2]?.visit('docs.shop.test', { agent }), { status: 421 }, 'on an open connection')
  for (const each of servers) t.equal(await each.domain('docs.shop.test'), undefined)

  const stopped = server(2)
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => kept.destroy())
  t.match(await visitors[2]?.visit('issuing.shop.test', { agent: kept }), { status: 200 })
  process.kill(Number(stopped.pid), 'SIGSTOP')
  t.equal((await server(0).api('DELETE', '/domains/issuing.shop.test')).status, 204)
  process.kill(Number(stopped.pid), 'SIGCONT')
  const { status } = (await visitors[2]?.visit('issuing.shop.test', { agent: kept })) ?? {}
  t.ok(status === 503 || status === 421, `one that was stopped answers ${status}`)
  await isServed('verified.shop.test')
})
