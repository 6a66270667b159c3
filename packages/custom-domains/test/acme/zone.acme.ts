// A record that the zone's servers and the authority have, but the platform's resolver not yet.
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import t from 'tap'
import { freePort } from '../../../../test/fixtures/ports.js'
import { publishDomains } from '../../src/publish/index.ts'
import { publishWhenReady } from '../../src/publish/when-ready.ts'
import { startAcmeProxy } from '../fixtures/acme-proxy.ts'
import { startDnsServer, type Zone } from '../fixtures/dns-server.ts'
import { emptyDisk, storageOn, until } from '../fixtures/domains.ts'
import { startDelegation } from '../fixtures/name-server.ts'
import { startPebble } from '../fixtures/pebble.ts'

const host = 'docs.shop.test'
const platform = { domain: 'orders.platform.test', cnameTarget: 'sites.platform.test' }
const records: Zone = { [platform.domain]: { A: ['127.0.0.1'] }, [platform.cnameTarget]: { A: ['127.0.0.1'] } }
const leadsHere: Zone = { [host]: { CNAME: [platform.cnameTarget] } }

t.test('a cached "no such name" does not delay a certificate', async (t) => {
  const { resolver, options } = await startDelegation(t, { cached: records, zone: leadsHere })
  const uncached = await startDnsServer(t, { ...records, ...leadsHere })
  const http = await freePort()
  const { directoryUrl, ca } = await startAcmeProxy(
    t,
    await startPebble(t, { dnsServer: uncached.address, httpPort: http }),
  )
  const authorities = [{ directoryUrl, ca, email: 'operator@platform.test' }] as const
  const storage = storageOn(emptyDisk())
  const dnsServers = [resolver.address]
  const { addressPolicy } = options
  const { registry, listen, close } = await publishWhenReady({
    publish: () =>
      publishDomains({
        storage,
        platform,
        allow: async () => true,
        limit: 100,
        authorities,
        dnsServers,
        addressPolicy,
      }),
    report: (_level, message) => t.fail(message),
    hstsSeconds: 0,
    closeStorage: storage.close,
  })
  t.teardown(close)
  const docs = {
    routing: (_request: unknown, response: { end(body: string): void }) => response.end('docs'),
    server: new EventEmitter().on('clientError', (_error, socket: Socket) => socket.destroy()),
    log: { info() {}, warn() {}, error() {} },
  }
  await listen(docs, { host: '127.0.0.1', ports: { http, https: 0 } })
  await registry.add(host)
  await registry.verify(host)
  const view = () => registry.list().domains[0]
  await until(() => view()?.state === 'live' || view()?.problem !== undefined)
  t.match(view(), {
    state: 'live',
    problem: undefined,
    hint: 'Your record is there. All resolvers will see it within about 25 minutes; until then, some return no record.',
  })
  t.ok(resolver.queries.includes(`CNAME ${host}`))
})
