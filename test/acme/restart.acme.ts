// A restart after a kill during an issuance.
import t from 'tap'
import { until } from './built.ts'
import { leadsHere, platform } from './published.ts'
import { storedRecords } from './stored-records.ts'

t.test('after a kill during an issuance, live domains are served immediately and the order is completed', async (t) => {
  const { zone, proxy, dataDir, visit, orders, start } = await platform(t)
  zone['docs.shop.test'] = zone['help.shop.test'] = leadsHere
  const first = await start()
  await first.publish('docs.shop.test')
  proxy.injections['/finalize-order/'] = 'silence'
  await first.domains('add', 'help.shop.test')
  await first.api('POST', '/domains/help.shop.test/verify')
  await until('the order is finalized', async () => proxy.requests.at(-1)?.startsWith('POST /finalize-order/'))
  await first.kill()

  delete proxy.injections['/finalize-order/']
  proxy.injections['/'] = 'silence'
  for (let kills = 1; kills <= 4; kills += 1) {
    const second = await start()
    t.match(await visit('docs.shop.test'), { status: 200 })
    t.match(await second.domain('help.shop.test'), { state: /^(verifying|verified|issuing)$/ })
    await second.kill()
  }
  t.equal(orders(), 2)

  delete proxy.injections['/']
  const third = await start()
  await third.reaches('help.shop.test', 'live')
  t.match(await visit('help.shop.test'), { status: 200 })
  t.equal(orders(), 2, 'the order is completed, not placed again')
  const counted = Object.values(await storedRecords(dataDir, 'order')) as { host: string }[]
  const hosts = counted.map(({ host }) => host).sort()
  t.strictSame(hosts, ['docs.shop.test', 'help.shop.test'], 'five kills count as one order')
  await third.kill()

  const requests = proxy.requests.length
  await start()
  for (const host of ['docs.shop.test', 'help.shop.test']) t.match(await visit(host), { status: 200 })
  t.equal(proxy.requests.length, requests, 'no request reaches the authority')
})
