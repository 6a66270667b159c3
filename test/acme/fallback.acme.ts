// A second authority, which issues what the first one cannot.
import t from 'tap'
import { until } from './built.ts'
import { leadsHere, platform } from './published.ts'

const host = 'docs.shop.test'
const down = { status: 503, headers: { 'retry-after': '10' } }

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
