// A rate limit of the authority for one domain.
import t from 'tap'
import type { Server } from '../fixtures/built.ts'
import { leadsHere, platform } from '../fixtures/published.ts'

const [docs, help] = ['docs.shop.test', 'help.shop.test']
const detail = 'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s'
const duplicate = { status: 429, headers: { 'retry-after': '36000' }, problem: { type: 'rateLimited', detail } }

/** Adds a domain that fails. @returns its problem, after its removal */
async function failure({ api, reaches }: Server, host: string) {
  await api('POST', '/domains', { domain: host })
  await api('POST', `/domains/${host}/verify`)
  const { problem } = await reaches(host, 'failed')
  await api('DELETE', `/domains/${host}`)
  return problem
}

t.test("a domain's rate limit survives its removal, and delays no other domain", async (t) => {
  const { zone, proxy, orders, start } = await platform(t)
  zone[docs] = zone[help] = leadsHere
  proxy.injections['/order-plz'] = duplicate
  const server = await start()
  t.match(await failure(server, docs), { code: 'rate_limited', message: detail })
  t.equal(orders(), 0)
  delete proxy.injections['/order-plz']
  await server.publish(help)
  t.equal(orders(), 1)

  const problem = await failure(server, docs)
  t.match(problem, { code: 'rate_limited', message: detail })
  t.ok(
    Date.parse(String(problem?.nextTryAt)) > Date.now() + 30_000_000,
    'not before the time that the authority asks for',
  )
  t.equal(orders(), 1)
})
