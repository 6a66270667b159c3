// Three servers on one database: removals, and kills during them.
import { Agent } from 'node:https'
import process from 'node:process'
import t from 'tap'
import { until } from './built.ts'
import { threeInstances } from './instances.ts'
import { leadsHere } from './published.ts'

const [docs, help] = ['docs.shop.test', 'help.shop.test']
const places = [0, 1, 2]
const lost = { message: 'fetch failed' }

// In parallel: most of the time they wait for the lease of a killed server to expire.
t.jobs = 3

t.test('if the removing instance is killed, the removal has happened completely or not at all', async (t) => {
  const { zone, db, orders, server, kill, leader, restart, visit, isServed, isGone } = await threeInstances(t)
  zone[docs] = leadsHere
  await server(0).publish(docs)
  await isServed(docs)
  const [leading, killed, stopped] = [leader(), leader() + 1, leader() + 2]

  await db.query('BEGIN')
  await db.query('SELECT FROM store_orders.domain_revision FOR UPDATE')
  const unsaved = t.rejects(server(killed).api('DELETE', `/domains/${docs}`), lost)
  const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
  await until('the removal is about to be saved', async () => (await db.query(waiting)).length > 0)
  await kill(killed)
  await unsaved
  await db.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) waiting`)
  await db.query('COMMIT')
  for (const index of [leading, stopped]) {
    t.match(await visit(index, docs), { status: 200 })
    t.match(await server(index).domain(docs), { state: 'live' })
  }
  await restart(killed)
  await isServed(docs)

  const kept = places.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  t.teardown(() => kept.map((agent) => agent.destroy()))
  for (const index of places) t.match(await visit(index, docs, { agent: kept[index] }), { status: 200 })
  process.kill(Number(server(stopped).pid), 'SIGSTOP') // so that the removal is saved but its response still pending
  const unanswered = t.rejects(server(killed).api('DELETE', `/domains/${docs}`), lost)
  await until('the removal is saved', async () => (await server(leading).domain(docs)) === undefined)
  await kill(killed)
  await unanswered
  await isGone(docs, [leading])
  t.match(await visit(leading, docs, { agent: kept[leading % 3] }), { status: 421 })
  process.kill(Number(server(stopped).pid), 'SIGCONT')
  await until('the one that was stopped knows', async () => (await server(stopped).domain(docs)) === undefined)
  t.match(await visit(stopped, docs, { agent: kept[stopped % 3] }), { status: 421 })
  await restart(killed)
  await isGone(docs)

  await server(killed).publish(docs)
  await isServed(docs)
  t.equal(orders(), 1, 'the certificate is kept after the removal')
})

t.test('the leader is killed while another instance removes a domain, live or during its order', async (t) => {
  const { zone, proxy, orders, server, kill, leader, restart, isServed, isGone } = await threeInstances(t)
  zone[docs] = zone[help] = leadsHere
  await server(0).publish(docs)
  await isServed(docs)
  proxy.injections['/finalize-order/'] = 'silence'
  const killed = leader()
  const other = server(killed + 1)
  await other.api('POST', '/domains', { domain: help })
  await other.api('POST', `/domains/${help}/verify`)
  await until('the order is finalized', async () => proxy.requests.at(-1)?.startsWith('POST /finalize-order/'))

  process.kill(Number(server(killed).pid), 'SIGSTOP')
  const removals = [docs, help].map((host) => other.api('DELETE', `/domains/${host}`))
  await until('both are gone', async () => {
    const found = await Promise.all([docs, help].map((host) => server(killed + 2).domain(host)))
    return found.every((domain) => domain === undefined)
  })
  await kill(killed)
  for (const removal of removals) t.equal((await removal).status, 204)
  for (const host of [docs, help]) await isGone(host, [killed + 1, killed + 2])
  delete proxy.injections['/finalize-order/']
  await until('another one leads', async () => leader() >= 0)
  await restart(killed)
  for (const host of [docs, help]) await isGone(host)

  for (const host of [docs, help]) {
    await server(killed).publish(host)
    await isServed(host)
  }
  t.equal(orders(), 2, 'the certificate and the order are kept after the removal')
})

t.test('a certificate that any instance has revoked is never served again', async (t) => {
  const { zone, db, orders, server, leader, serials, isServed, isGone } = await threeInstances(t)
  zone[docs] = leadsHere
  await server(0).publish(docs)
  await isServed(docs)
  const [revoked] = await serials(docs)
  const other = server(leader() + 1)
  t.equal((await other.api('POST', `/domains/${docs}/revoke`, { reason: 'keyCompromise' })).status, 204)
  await isGone(docs)
  await other.publish(docs)
  await isServed(docs)
  t.notOk((await serials(docs)).includes(revoked))
  t.equal(orders(), 2)
  t.equal((await db.query("SELECT FROM store_orders.domain_secrets WHERE kind = 'certificate'")).length, 1)
})
