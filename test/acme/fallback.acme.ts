// A second authority, which issues what the first one cannot.
import t from 'tap'
import { until } from '../fixtures/built.ts'
import { leadsHere, platform } from '../fixtures/published.ts'

const host = 'docs.shop.test'
const down = { status: 503, headers: { 'retry-after': '3600' } }

t.test('the second authority issues while the first is down; the renewal returns to the first', async (t) => {
  const { zone, proxy, start, visit, orders, fallbackOrders } = await platform(t, { validity: 40, hasFallback: true })
  zone[host] = leadsHere
  proxy.injections['/'] = down
  const server = await start()
  await server.publish(host)
  t.match(await visit(host), { status: 200 })
  t.strictSame([orders(), fallbackOrders()], [0, 1])
  t.match(server.log(), 'this authority issued no certificate')

  delete proxy.injections['/']
  const { serial } = await visit(host)
  await until('a renewal', async () => orders() === 1 && (await server.domain(host))?.state === 'live')
  await until('its certificate', async () => (await visit(host)).serial !== serial)
  t.equal(fallbackOrders(), 1)
})

t.test('a restart orders nothing, and a revocation goes to the issuing authority', async (t) => {
  const { zone, proxy, fallback, start, visit, orders, fallbackOrders } = await platform(t, { hasFallback: true })
  zone[host] = leadsHere
  proxy.injections['/finalize-order/'] = { status: 500, problem: { type: 'serverInternal', detail: 'Oops.' } }
  const server = await start()
  await server.publish(host)
  t.strictSame([orders(), fallbackOrders()], [1, 1])
  const { serial } = await visit(host)
  await server.kill()

  delete proxy.injections['/finalize-order/']
  const next = await start()
  t.match(await visit(host), { status: 200, serial })
  t.match(await next.domains('remove', host, '--revoke', 'superseded'), { code: 0 })
  const revocations = [proxy, fallback].map((each) => each?.requests.includes('POST /revoke-cert'))
  t.strictSame([revocations, orders(), fallbackOrders()], [[false, true], 1, 1])
})

t.test('CAA records that allow only the second authority select it', async (t) => {
  const { zone, proxy, fallback, start, orders, fallbackOrders } = await platform(t, { hasFallback: true })
  proxy.injections['/dir'] = { meta: { caaIdentities: ['authority.example'] } }
  if (fallback) fallback.injections['/dir'] = { meta: { caaIdentities: ['fallback.example'] } }
  zone[host] = leadsHere
  zone['shop.test'] = { CAA: [{ flags: 0, tag: 'issue', value: 'fallback.example' }] }
  const server = await start()
  await server.publish(host)
  t.strictSame([orders(), fallbackOrders()], [0, 1])
})
