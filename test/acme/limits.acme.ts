// Rate limits: the authority's for one domain, and the server's own.
import t from 'tap'
import { leadsHere, platform } from '../fixtures/published.ts'

const [docs, help] = ['docs.shop.test', 'help.shop.test']
const detail =
  'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s, retry after tomorrow'
const duplicate = { status: 429, headers: { 'retry-after': '36000' }, problem: { type: 'rateLimited', detail } }

t.test('a rate limit of one domain outlives its removal, and delays no other domain', async (t) => {
  const { zone, proxy, orders, start } = await platform(t)
  zone[docs] = zone[help] = leadsHere
  proxy.injections['/order-plz'] = duplicate
  const server = await start()
  for (const attempt of ['the first', 'removed and added again']) {
    await server.domains('add', docs)
    t.match(await server.domains('verify', docs), { code: 1 })
    const { state, problem } = (await server.domain(docs)) ?? {}
    t.match({ state, problem }, { state: 'failed', problem: { code: 'rate_limited', message: detail } }, attempt)
    t.ok(Date.parse(String(problem?.nextTryAt)) > Date.now() + 30_000_000, 'not before the authority asks for')
    t.equal(orders(), attempt === 'the first' ? 1 : 2)
    delete proxy.injections['/order-plz']
    await server.publish(help)
    t.equal(orders(), 2)
    await server.domains('remove', docs)
  }
})

t.test("removals and restarts forget none of the hour's orders", async (t) => {
  const { zone, proxy, orders, start } = await platform(t)
  zone[docs] = leadsHere
  proxy.injections['/finalize-order/'] = { status: 403, problem: { type: 'badCSR', detail: 'Not this key.' } }
  let server = await start()
  async function attempt() {
    await server.domains('add', docs)
    t.match(await server.domains('verify', docs), { code: 1 })
    const { problem } = (await server.domain(docs)) ?? {}
    await server.domains('remove', docs)
    return problem
  }
  for (let placed = 1; placed <= 4; placed += 1) {
    t.match(await attempt(), { code: 'ca_refused', message: /Not this key/ })
    t.equal(orders(), placed)
  }
  await server.kill()
  server = await start()
  t.match(await attempt(), { code: 'rate_limited', message: 'At most four certificates are ordered per hour.' })
  t.equal(orders(), 4)
})
