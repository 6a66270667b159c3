// Restarts after a kill, from each state that the killed server may leave behind.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { until } from './built.ts'
import { leadsHere, platform } from './published.ts'
import { storedRecords } from './stored-records.ts'
import { noCertificate } from './visitor.ts'

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

t.test('after a kill during a removal, the next server completes it', async (t) => {
  const { zone, dataDir, visit, start } = await platform(t)
  zone['docs.shop.test'] = zone['old.shop.test'] = leadsHere
  const first = await start()
  for (const host of ['docs.shop.test', 'old.shop.test']) await first.publish(host)
  await first.domains('redirect', 'old.shop.test')

  // Once the removal is saved, its first file blocks.
  await promisify(execFile)('mkfifo', [`${dataDir}/domains.json.1.part`])
  const refused = t.rejects(first.api('DELETE', '/domains/old.shop.test'), { message: 'fetch failed' })
  await until('the removal is saved', async () => existsSync(`${dataDir}/batch.json`))
  await first.kill()
  await refused
  t.match(await readFile(`${dataDir}/domains.json`, 'utf8'), '"from": "old.shop.test"')

  const second = await start()
  t.equal(await second.domain('old.shop.test'), undefined)
  t.strictSame(JSON.parse(await readFile(`${dataDir}/domains.json`, 'utf8')), {
    domains: { primary: 'docs.shop.test', redirects: [] },
  })
  await t.rejects(visit('old.shop.test'), noCertificate)
  t.match(await visit('docs.shop.test'), { status: 200 })
})
