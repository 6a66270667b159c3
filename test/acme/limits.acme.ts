// A rate limit of the authority for one domain.
import t, { type Test } from 'tap'
import { type Server, until } from './built.ts'
import { leadsHere, platform } from './published.ts'

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

/** Pebble behind an authority that counts orders in a token bucket, as Let's Encrypt does. */
async function countingAuthority(t: Test, text: string) {
  const [capacity, refillMs] = [3, 5_000]
  const environment = await platform(t)
  const { injections, requests } = environment.proxy
  const counts = { rejections: 0 }
  let [seen, emptied] = [0, 0]
  Object.defineProperty(injections, '/order-plz', {
    enumerable: true,
    get() {
      const asked = requests.filter((request) => request === 'POST /order-plz').length
      if (asked === seen) return undefined // a request for something else
      seen = asked
      const next = Math.max(emptied, Date.now()) + refillMs
      const wait = next - Date.now() - capacity * refillMs
      if (wait <= 0) {
        emptied = next
        return undefined
      }
      counts.rejections++
      const headers = { 'retry-after': String(Math.ceil(wait / 1000)) }
      return { status: 429, headers, problem: { type: 'rateLimited', detail: text } }
    },
  })
  return { ...environment, counts }
}

for (const text of [
  'too many new orders (3) from this account in the last 15s',
  'too many certificates (3) already issued for "shop.test" in the last 15s',
]) {
  t.test(`every domain goes live in spite of "${text}"`, async (t) => {
    const { zone, orders, start, counts } = await countingAuthority(t, text)
    const hosts = ['a', 'b', 'c', 'd', 'e', 'f'].map((label) => `${label}.shop.test`)
    for (const host of hosts) zone[host] = leadsHere
    const server = await start()
    for (const domain of hosts) await server.api('POST', '/domains', { domain })
    await Promise.all(hosts.map((host) => server.api('POST', `/domains/${host}/verify`)))
    const isLive = async (host: string) => (await server.domain(host))?.state === 'live'
    await until('all are live', async () => (await Promise.all(hosts.map(isLive))).every(Boolean))
    t.equal(orders(), hosts.length)
    t.ok(counts.rejections > 0, 'the limit was reached')
    t.ok(counts.rejections <= 2 * hosts.length, `${counts.rejections} requests in vain`)
  })
}
