// Certificates valid for seconds: what visitors and the dashboard see during renewals and failed renewals.
import { Agent } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { until } from './built.ts'
import { leadsHere, platform } from './published.ts'
import { noCertificate, type Visit } from './visitor.ts'

const host = 'docs.shop.test'

t.test('visitors notice no renewal; without its authority, a domain stays live until the expiry', async (t) => {
  const { zone, proxy, visit, orders, start } = await platform(t, { validity: 30 })
  zone[host] = leadsHere
  proxy.injections['/draft-ietf-acme-ari'] = { status: 404 } // it would suggest a later time
  const server = await start()
  await server.publish(host)

  let areVisiting = true
  /** Successive visits. @returns the count of each outcome, and the certificates seen */
  async function visits(options: Visit) {
    const [outcomes, serials] = [new Map<unknown, number>(), new Set<string>()]
    for (; areVisiting; await setTimeout(10)) {
      const { status, serial } = await visit(host, { path: '/openapi.json', ...options }).catch((error) => ({
        status: error.message,
        serial: undefined,
      }))
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
      if (serial) serials.add(serial)
    }
    return { outcomes: [...outcomes.keys()], serials: serials.size, visits: outcomes.get(200) ?? 0 }
  }
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => kept.destroy())
  const visitors = Promise.all([{}, { agent: kept }].map(visits))
  await until('two renewals', async () => orders() === 3 && (await server.domain(host))?.state === 'live')
  proxy.injections['/'] = { status: 503, headers: { 'retry-after': '3600' } }
  const failing = await until('a renewal that fails', async () => {
    const domain = await server.domain(host)
    return domain?.problem && domain
  })
  t.match(failing, {
    state: 'live',
    summary: /^Live, but with a problem\./,
    problem: { code: 'ca_unavailable', message: 'The authority responded with HTTP 503.' },
  })
  t.ok(
    Date.parse(String(failing.problem?.nextTryAt)) < Date.now() + 600_000,
    'the hour that the authority asks for is longer than the certificate lasts',
  )
  areVisiting = false
  const [fresh, persistent] = await visitors
  t.match(fresh, { outcomes: [200], serials: 3 }, `${fresh?.visits} visits on new connections`)
  t.match(persistent, { outcomes: [200], serials: 1 }, `${persistent?.visits} visits on one`)

  t.match(await visit(host), { status: 200 })
  // The state names the expiry only until the retry, which is at once: the log keeps it.
  await until('the retry after the expiry fails', async () => {
    const domain = await server.domain(host)
    return domain?.state === 'failed' && domain.problem?.code === 'ca_unavailable'
  })
  const expiry = server
    .log()
    .split('\n')
    .find((line) => line.includes('"the certificate has expired"'))
  t.match(JSON.parse(expiry ?? '{}'), { domain: host, problem: { code: 'certificate_expired' } })
  await t.rejects(visit(host), noCertificate)

  delete proxy.injections['/']
  // A request ends no pause that the authority asks for: the next try is automatic.
  await until('it is live again', async () => (await server.domain(host))?.state === 'live')
  t.match(await visit(host), { status: 200 })
})
