// Three servers on one database: renewals, with the renewing server killed at each step.
import t from 'tap'
import { until } from './built.ts'
import { type Cluster, threeInstances } from './instances.ts'
import { leadsHere } from './published.ts'

/** The request that gets no response, during which the instance is killed. */
const steps = {
  'the order is authorized': '/authZ/',
  'the order is finalized': '/finalize-order/',
  'the certificate is fetched': '/certZ/',
}

// In parallel: most of the time they wait for the lease of a killed server to expire.
t.jobs = 3

t.test('another instance completes the renewal of a killed one, with the same order', async (t) => {
  const cluster = await threeInstances(t)
  const { zone, proxy, orders, server, kill, leader, restart, reissue, serials, isServed } = cluster
  const hostOf = (index: number) => `renewal-${index}.shop.test`
  for (const index of Object.keys(steps).keys()) {
    zone[hostOf(index)] = leadsHere
    await server(index).publish(hostOf(index))
    await isServed(hostOf(index))
  }
  for (const [index, [step, path]] of Object.entries(steps).entries()) {
    const host = hostOf(index)
    const [former] = await serials(host)
    const [killed, before] = [leader(), proxy.requests.length]
    const others = [killed + 1, killed + 2]

    proxy.injections[path] = 'silence'
    await reissue(killed + 1, host)
    await isRequested(cluster, host, path, before)
    await kill(killed)
    t.strictSame(await serials(host, others), [former, former], 'the former certificate is served meanwhile')
    delete proxy.injections[path]
    await isReplaced(cluster, host, String(former), others)
    t.equal(orders(), 4 + index, `killed while ${step}`)
    await restart(killed)
    await isReplaced(cluster, host, String(former), [0, 1, 2])
    t.match(await server(killed).domain(host), { state: 'live' })
  }
})

t.test('after a kill before the state is saved, the saved certificate is used and none is ordered', async (t) => {
  const cluster = await threeInstances(t)
  const { zone, proxy, db, orders, server, kill, leader, reissue, serials, isServed } = cluster
  const host = 'docs.shop.test'
  zone[host] = leadsHere
  await server(0).publish(host)
  await isServed(host)
  const [former] = await serials(host)
  const killed = leader()
  proxy.injections['/certZ/'] = 'silence'
  const before = proxy.requests.length
  await reissue(killed + 1, host)
  await isRequested(cluster, host, '/certZ/', before)
  await kill(killed)

  // The next one can save the certificate but not the state.
  await db.query('BEGIN')
  await db.query('SELECT FROM store_orders.domain_revision FOR UPDATE')
  delete proxy.injections['/certZ/']
  const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
  const secret = "SELECT value FROM store_orders.domain_secrets WHERE kind = 'certificate'"
  const [stored] = await db.query<{ value: Buffer }>(secret)
  await until('the state is about to be saved', async () => (await db.query(waiting)).length > 0)
  await db.query('COMMIT')
  await isReplaced(cluster, host, String(former), [killed + 1, killed + 2])
  t.notSame(await db.query(secret), [stored])
  t.equal(orders(), 2)
})

t.test('a certificate that expires soon is renewed in time, even if the instance is killed meanwhile', async (t) => {
  const cluster = await threeInstances(t, { validity: 60 })
  const { zone, proxy, orders, server, kill, leader, serials, isServed } = cluster
  const host = 'docs.shop.test'
  zone[host] = leadsHere
  proxy.injections['/draft-ietf-acme-ari'] = { status: 404 } // its suggestion may be too late for this test
  await server(0).publish(host)
  await isServed(host)
  const [former] = await serials(host)
  const before = proxy.requests.length
  proxy.injections['/finalize-order/'] = 'silence'
  await isRequested(cluster, host, '/finalize-order/', before)
  const killed = leader()
  await kill(killed)
  delete proxy.injections['/finalize-order/']
  await isReplaced(cluster, host, String(former), [killed + 1, killed + 2])
  t.equal(orders(), 2)
})

/** Waits for a request to the authority, at this path, after so many. @throws when the attempt fails instead */
async function isRequested({ proxy, server, leader }: Cluster, host: string, path: string, before: number) {
  await until(`the authority is queried for ${path}`, async () => {
    const { problem } = (await server(leader()).domain(host)) ?? {}
    if (problem) throw new Error(problem.message)
    return proxy.requests.slice(before).some((line) => line.startsWith(`POST ${path}`))
  })
}

/** Waits until these servers all serve the same other certificate. */
async function isReplaced({ serials }: Cluster, host: string, former: string, among: number[]) {
  await until(`${host} has a new certificate`, async () => {
    const [first, ...others] = await serials(host, among)
    return first !== undefined && first !== former && others.every((serial) => serial === first)
  })
}
