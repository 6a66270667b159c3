// Three servers, one database: renewals, and the kill of the one that renews at each step.
import t from 'tap'
import { until } from '../fixtures/built.ts'
import { type Cluster, threeInstances } from '../fixtures/instances.ts'
import { leadsHere } from '../fixtures/published.ts'

/** What the authority does not answer when the instance is killed. */
const steps = {
  'the order is authorized': '/authZ/',
  'the order is finalized': '/finalize-order/',
  'the certificate is fetched': '/certZ/',
}

t.test('a renewal whose instance is killed is finished by another one, with the same order', async (t) => {
  const cluster = await threeInstances(t)
  const { zone, proxy, orders, server, kill, worker, restart, reissue, serials, isServed } = cluster
  const hostOf = (index: number) => `renewal-${index}.shop.test`
  for (const index of Object.keys(steps).keys()) {
    zone[hostOf(index)] = leadsHere
    await server(index).publish(hostOf(index))
    await isServed(hostOf(index))
  }
  for (const [index, [step, path]] of Object.entries(steps).entries()) {
    const host = hostOf(index)
    const [former] = await serials(host)
    const [killed, before] = [worker(), proxy.requests.length]
    const others = [killed + 1, killed + 2]

    proxy.injections[path] = 'silence'
    await reissue(killed + 1, host)
    await isAsked(cluster, host, path, before)
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

t.test('killed between the certificate and the state: the certificate is used, and nothing is ordered', async (t) => {
  const cluster = await threeInstances(t)
  const { zone, proxy, db, orders, server, kill, worker, reissue, serials, isServed } = cluster
  const host = 'docs.shop.test'
  zone[host] = leadsHere
  await server(0).publish(host)
  await isServed(host)
  const [former] = await serials(host)
  const killed = worker()
  proxy.injections['/certZ/'] = 'silence'
  const before = proxy.requests.length
  await reissue(killed + 1, host)
  await isAsked(cluster, host, '/certZ/', before)
  await kill(killed)

  // The next one can save the certificate, and not the state.
  await db.query('BEGIN')
  await db.query('SELECT FROM store_orders.domain_state FOR UPDATE')
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

t.test('a certificate that ends soon is renewed in time, although the instance is killed in the middle', async (t) => {
  const cluster = await threeInstances(t, { validity: 60 })
  const { zone, proxy, orders, server, kill, worker, serials, isServed } = cluster
  const host = 'docs.shop.test'
  zone[host] = leadsHere
  proxy.injections['/draft-ietf-acme-ari'] = { status: 404 } // it may suggest a time too late for this test
  await server(0).publish(host)
  await isServed(host)
  const [former] = await serials(host)
  const before = proxy.requests.length
  proxy.injections['/finalize-order/'] = 'silence'
  await isAsked(cluster, host, '/finalize-order/', before)
  const killed = worker()
  await kill(killed)
  delete proxy.injections['/finalize-order/']
  await isReplaced(cluster, host, String(former), [killed + 1, killed + 2])
  t.equal(orders(), 2)
})

/** Waits for a request to the authority, at this path, after so many. @throws when the attempt fails instead */
async function isAsked({ proxy, server, worker }: Cluster, host: string, path: string, before: number) {
  await until(`the authority is asked for ${path}`, async () => {
    const { problem } = (await server(worker()).domain(host)) ?? {}
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
