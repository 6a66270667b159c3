import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { connect } from 'node:tls'
import t from 'tap'
import { cutShort, makeCertificate } from 'test-kit/certificate'
import { messageOf } from 'test-kit/message'
import { deferred } from 'test-kit/until'
import { withOrigin } from '../../src/certificates/certificate.ts'
import type { CaaChecker } from '../../src/dns/caa.ts'
import { ProxyAgent, type ProxyEnv } from '../../src/proxy-agent.ts'
import type { Domain } from '../../src/state/domain.ts'
import type { DomainStorage, Listener, RecordChange } from '../../src/state/storage.ts'
import { DAY, fakeClock, MINUTE } from '../fixtures/clock.ts'
import { type Disk, diskOf, domainsOn, put, storageOn } from '../fixtures/disk.ts'
import { domainOf, until } from '../fixtures/domains.ts'
import { platform, publish } from '../fixtures/publish.ts'
import { webhookReceiver } from '../fixtures/receiver.ts'

const host = 'docs.shop.test'

function liveDomain(host: string): Domain {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  return domainOf(host, { state: 'live', certificate: { issuer: '', notBefore: at(-DAY), notAfter: at(89 * DAY) } })
}

async function responseOf(port: number, host: string) {
  const [response] = await once(get({ host: '127.0.0.1', port, path: '/docs', headers: { host } }), 'response')
  response.resume()
  return response as IncomingMessage
}

/** The names of the certificate that is served, or the alert. */
async function served(port: number, servername: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
  const failed = once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code)
  const secure = once(socket, 'secureConnect').then(() => socket.getPeerCertificate().subjectaltname)
  const outcome = await Promise.race([failed, secure])
  socket.destroy()
  return String(outcome)
}

t.test('the platform domain gets its certificate first, and is then served only over TLS', async (t) => {
  const disk = diskOf(domainOf(host, { state: 'verifying' }))
  const { registry, zone, lines, platformLines, orders, listen } = await publish(t, { disk })
  zone['orders.platform.test'] = 'A 192.0.2.1'
  const { http, https } = await listen()
  await until(() => lines.length > 0 && platformLines.length > 0)
  t.strictSame(orders, ['orders.platform.test', host])
  t.equal(await served(https, 'orders.platform.test'), 'DNS:orders.platform.test')
  const { headers } = await responseOf(http, 'orders.platform.test')
  t.equal(headers.location, 'https://orders.platform.test/docs')
  t.match(await registry.add('other.shop.test'), { state: 'added' })
  t.match(registry.list(), { count: 2, domains: [{ domain: host }, { domain: 'other.shop.test' }] })
  const own = 'orders.platform.test'
  const { verify, remove, revoke, redirect, update } = registry
  for (const operate of [
    () => verify(own),
    () => remove(own),
    () => remove(own, 'keyCompromise'),
    () => revoke(own, 'keyCompromise'),
    () => redirect(own, false),
    () => update(({ redirect }) => redirect(host, own)),
    () => update(({ roles }) => roles.set('first', own)),
    () => update(({ setData }) => setData(own, {})),
  ])
    await t.rejects(operate() as Promise<unknown>, { code: 'domain_not_found' })
  await update(({ find }) => t.equal(find(own), undefined))
  t.equal(await served(https, own), `DNS:${own}`)
})

t.test('a platform domain without an address, or that no authority certifies, has no certificate', async (t) => {
  const { listen, platformLines, orders } = await publish(t)
  const { http } = await listen()
  await until(() => platformLines.length > 0)
  t.strictSame([platformLines, orders], [['the attempt failed'], []])
  t.equal((await responseOf(http, 'orders.platform.test')).statusCode, 200)
  const internal = await publish(t, { platformDomain: 'orders.internal' })
  await internal.listen()
  const reason = 'Certificates cannot be issued for names that end in .internal.'
  t.strictSame(internal.platformLines, [`the platform has no HTTPS: ${reason}`])
})

t.test('a due attempt waits for the ports', async (t) => {
  const disk = diskOf(domainOf(host, { state: 'live' }))
  put(disk, [{ kind: 'account', name: 'https://ca.test', value: 'https://ca.test/A' }])
  const checked: unknown[] = []
  const caa: CaaChecker = { check: async (_host, { account }) => void checked.push(account) }
  const { listen, stateOf, orders } = await publish(t, { disk, outgoing: { caa } })
  t.equal(stateOf(host), 'live')
  await listen()
  await until(() => orders.includes(host))
  t.strictSame(checked, ['https://ca.test/A'], 'CAA records may be bound to the account')
})

t.test('a domain can be verified before the ports are open', async (t) => {
  const { registry, stateOf, orders, lines } = await publish(t, { disk: diskOf(domainOf(host)) })
  await registry.verify(host)
  await until(() => stateOf(host) === 'live')
  t.strictSame([orders, lines], [[host], []], 'without a log')
})

t.test('a damaged record is named, and its domain served with its certificate until it is verified', async (t) => {
  const other = 'other.shop.test'
  const disk = diskOf({ ...liveDomain(host), state: 'gone' as Domain['state'] }, liveDomain(other))
  for (const each of [host, other]) disk.certificates.set(each, await makeCertificate(each))
  const { listen, lines, orders, registry, stateOf } = await publish(t, { disk })
  const { https } = await listen()
  for (const each of [host, other]) t.equal(await served(https, each), `DNS:${each}`)
  t.strictSame(lines, ['a stored record is damaged'])
  t.match(registry.damaged(), [{ kind: 'domain', name: host, reason: /^state must be/ }])
  const problemOf = () => registry.list().domains.find(({ domain }) => domain === host)?.problem?.code
  t.strictSame([stateOf(host), problemOf()], ['live', 'record_damaged'])
  await registry.verify(host)
  await until(() => problemOf() === undefined)
  t.strictSame([stateOf(host), orders, registry.damaged()], ['live', [], []])
})

t.test('the damaged record of the platform domain is named, and written anew', async (t) => {
  const disk = diskOf({ ...liveDomain(platform.domain), state: 'gone' as Domain['state'], isPlatform: true })
  const { listen, lines, registry } = await publish(t, { disk })
  await listen()
  t.strictSame([lines, registry.damaged()], [['a stored record is damaged'], []])
  t.match(domainsOn(disk), [{ name: { host: platform.domain }, isPlatform: true }])
})

t.test('a broken certificate is named and ordered again at the first handshake; the others are served', async (t) => {
  const other = 'other.shop.test'
  const disk = diskOf({ ...liveDomain(host), issuedAt: new Date().toISOString() }, liveDomain(other))
  disk.certificates.set(host, await cutShort(await makeCertificate(host))).set(other, await makeCertificate(other))
  const { listen, lines, orders, stateOf } = await publish(t, { disk })
  const { https } = await listen()
  t.equal(await served(https, other), `DNS:${other}`)
  t.match(await served(https, host), /ALERT_HANDSHAKE_FAILURE$/)
  await until(() => stateOf(host) === 'live')
  t.equal(await served(https, host), `DNS:${host}`)
  t.strictSame(orders, [host])
  t.strictSame(lines, ['the certificate cannot be used; ordering another one', 'the domain is live'])
})

t.test('a configuration with an invalid domain, or a redirect elsewhere, stops the start', async (t) => {
  const redirect = { kind: 'redirect', name: platform.domain, value: { to: host, status: 301 } }
  const primary = (value: string) => ({ kind: 'primary', name: '', value })
  const refusals: [record: RecordChange, message: string][] = [
    [primary('shop.local'), 'shop.local: Certificates cannot be issued for names that end in .local.'],
    [primary('Docs.Shop.test.'), 'Docs.Shop.test.: write docs.shop.test'],
    [
      primary(platform.cnameTarget),
      `${platform.cnameTarget}: ${platform.cnameTarget} belongs to this platform: enter a domain of your own.`,
    ],
    [redirect, `${platform.domain}: ${platform.domain} belongs to this platform: enter a domain of your own.`],
  ]
  for (const [record, message] of refusals) {
    const disk = diskOf(domainOf(platform.domain, { isPlatform: true }))
    put(disk, [record])
    t.equal(await messageOf(() => publish(t, { disk })), `the configuration names ${message}`)
  }
})

t.test('authorities and the webhook are called through the proxy, and learn the name of the application', async (t) => {
  const requests = new Set<string>()
  t.intercept(ProxyAgent.prototype as ProxyAgent & { addRequest: unknown }, 'addRequest', {
    value(this: { options: { proxyEnv?: ProxyEnv } }, request: ClientRequest) {
      requests.add(`${request.host} ${request.getHeader('user-agent')} ${this.options.proxyEnv?.HTTPS_PROXY}`)
      throw new Error('there is no network')
    },
  })
  const disk = diskOf(...[host, 'missing.shop.test'].map((name) => domainOf(name, { state: 'verifying' })))
  const outgoing = { userAgent: 'shop/1', proxyEnv: { HTTPS_PROXY: 'http://proxy.test' } }
  const webhook = { url: 'https://hooks.test/', secrets: [] }
  await (await publish(t, { disk, isIssued: false, outgoing, webhook })).listen()
  await until(() => requests.size === 3)
  const called = ['ca.test', 'fallback.test', 'hooks.test'].map((name) => `${name} shop/1 http://proxy.test`)
  t.strictSame([...requests].sort(), called)
})

t.test('a certificate is revoked at its authority, even a former one', async (t) => {
  for (const authority of ['https://former.test', 'https://fallback.test', undefined]) {
    const disk = diskOf(domainOf(host))
    const pem = await makeCertificate(host)
    disk.certificates.set(host, authority === undefined ? pem : withOrigin(pem, { authority, issuedAt: 'then' }))
    const { registry, revocations } = await publish(t, { disk })
    t.equal(await registry.remove(host, 'superseded'), undefined)
    t.strictSame(revocations, [authority ?? 'https://ca.test'])
  }
})

t.test('a replaced account is listed, logged and sent to the webhook', async (t) => {
  const [hook, hosts] = [await webhookReceiver(t), [host, 'one.shop.test', 'two.shop.test']]
  const disk = diskOf(...hosts.map((name) => domainOf(name, { state: 'verifying' })))
  const accounts = ['https://ca.test/A', 'https://ca.test/A', 'https://ca.test/B', 'https://ca.test/B']
  const site = await publish(t, { webhook: hook.receiver, disk, accounts })
  for (const name of hosts) site.zone[name] = 'CNAME sites.platform.test'
  await site.listen()
  await until(() => hosts.every((name) => site.stateOf(name) === 'live'))
  const authority = 'https://ca.test'
  t.strictSame(site.registry.list().accounts, [{ authority, url: 'https://ca.test/B' }])
  t.equal(disk.accounts.get(authority), 'https://ca.test/B')
  const replaced = 'the authority no longer accepts the former account: another one has been registered'
  const lines = site.lines.filter((line) => line.includes('account'))
  t.strictSame(lines, ['an account has been registered at the authority', replaced])
  await hook.arrived(1)
  await until(() => site.webhook?.waiting() === 0)
  const live = hosts.map((name) => `domain.live ${name}`)
  t.strictSame(hook.types().sort(), ['account.replaced https://ca.test/B', ...live].sort())
  t.strictSame([hook.violations, site.webhook?.counts()], [[], { delivered: 4, failed: 0, dropped: 0 }])
})

t.test('setting the clock is logged, starts what is due, and notifies the webhook of it', async (t) => {
  const [hook, clock] = [await webhookReceiver(t), fakeClock(new Date())]
  const lastNotified = 'record_changed record_missing'
  const domain: Domain = { ...liveDomain(host), problem: { code: 'record_missing' }, attempts: 1, lastNotified }
  const disk = diskOf(domain)
  disk.certificates.set(host, await makeCertificate(host))
  const { listen, lines, stateOf, close } = await publish(t, { webhook: hook.receiver, clock, disk })
  await listen()
  clock.jump(80 * DAY)
  await clock.pass(2 * MINUTE, () => setImmediate())
  await hook.arrived(1)
  t.match(hook.messages[0]?.event, { type: 'domain.renewal_failing', data: { domain: host } })
  t.match(JSON.stringify(hook.messages[0]?.event), platform.cnameTarget)
  clock.jump(365 * DAY)
  await clock.pass(2 * MINUTE, () => setImmediate())
  await until(() => lines.includes('the certificate has expired'))
  t.equal(lines.filter((line) => line === 'the clock was set').length, 2)
  await until(() => stateOf(host) === 'failed')
  await close()
  t.equal(clock.waiting(), 0, 'no timer is left')
})

/** A storage that instances share, and what it informs of changes. */
function sharedStorageOn(disk: Disk) {
  const { promise, resolve } = deferred<Listener>()
  const join = async (listener: Listener) => resolve(listener)
  const shared = { join, whenAcknowledged: async () => {}, isCurrent: () => true }
  return { storage: { ...storageOn(disk), shared }, listener: promise }
}

t.test('changes that the storage has lost are logged, and listed', async (t) => {
  const disk = diskOf(domainOf(host))
  const { storage, listener } = sharedStorageOn(disk)
  const load = async () => ({ ...(await storage.load()), isRewound: !disk.records.has(`domain ${host}`) })
  const { listen, lines, registry } = await publish(t, { storage: { ...storage, load } })
  const { http } = await listen()
  disk.records.delete(`domain ${host}`)
  await (await listener).onChange()
  t.match(registry.list().rewound, { at: String, domains: [host] })
  t.strictSame(lines, ['the storage has lost the latest changes: these domains are as they were before'])
  storage.shared.isCurrent = () => false
  t.equal((await responseOf(http, host)).statusCode, 503)
})

t.test('the leader begins what another instance has saved as due', async (t) => {
  const disk = diskOf()
  const { storage, listener } = sharedStorageOn(disk)
  const saves: string[] = []
  const save: DomainStorage['save'] = (changes, over, isLeader) => {
    saves.push(...changes.map(({ value }) => `${(value as Partial<Domain>).state} ${isLeader}`))
    return storage.save(changes, over)
  }
  const clock = fakeClock(new Date())
  const { listen, orders, platformLines, stateOf } = await publish(t, { storage: { ...storage, save }, clock })
  await listen()
  put(disk, [{ kind: 'domain', name: 'last.shop.test', value: domainOf('last.shop.test') }])
  await (await listener).onLeadership(true)
  t.equal(stateOf('last.shop.test'), 'added', 'what the former leader has saved last')
  await until(() => platformLines.length > 0)
  put(disk, [{ kind: 'domain', name: host, value: domainOf(host, { state: 'verifying' }) }])
  await (await listener).onChange()
  await until(() => orders.includes(host))
  t.ok(saves.includes('issuing true'), 'saved only while it leads')
})

t.test('an account key that cannot be read, or written, is a failure of the storage', async (t) => {
  for (const operation of ['loadSecret', 'replaceSecret'] as const) {
    const disk = diskOf(domainOf(host, { state: 'verifying' }))
    const failing = {
      ...storageOn(disk),
      [operation]: (kind: string) => kind === 'account' && Promise.reject(new Error('EIO')),
    }
    const { listen, registry } = await publish(t, { storage: failing as DomainStorage, accounts: ['first'] })
    await listen()
    await until(() => registry.find(host)?.problem !== undefined)
    t.equal(registry.find(host)?.problem?.code, 'storage_failed', operation)
  }
})

t.test('no authority gets more orders than it is configured to', async (t) => {
  const hosts = [host, 'one.shop.test', 'two.shop.test']
  const disk = diskOf(...hosts.map((name) => domainOf(name, { state: 'verifying' })))
  const { listen, zone, registry } = await publish(t, { disk, orderLimit: 1 })
  for (const name of hosts) zone[name] = 'CNAME sites.platform.test'
  await listen()
  const codes = () => registry.list().domains.map(({ state, problem }) => problem?.code ?? state)
  await until(() => codes().every((code) => code !== 'verifying' && code !== 'verified' && code !== 'issuing'))
  t.strictSame(codes().sort(), ['live', 'live', 'rate_limited'], 'one at each of two')
})

t.test('an instance that loses the leadership as soon as it gains it starts nothing', async (t) => {
  const past = new Date(Date.now() - DAY).toISOString()
  const failing: Partial<Domain> = { state: 'failed', attempts: 1, notBefore: past, failingSince: past, failedAt: past }
  const { storage, listener } = sharedStorageOn(diskOf(domainOf(host, failing)))
  const { listen, lines, stateOf } = await publish(t, { storage })
  await listen()
  const { onLeadership } = await listener
  await Promise.all([onLeadership(true), onLeadership(false)])
  t.equal(stateOf(host), 'failed', 'no attempt is running')
  const gained = 'this instance now obtains the certificates'
  t.strictSame(lines, [gained, 'another instance may now obtain the certificates'])
})

t.test('a certificate that the storage cannot read is named', async (t) => {
  const loadSecret = () => Promise.reject(new Error('encrypted with another key'))
  const { listen, lines } = await publish(t, { storage: { ...storageOn(diskOf(liveDomain(host))), loadSecret } })
  const { https } = await listen()
  t.match(await served(https, host), /ALERT_HANDSHAKE_FAILURE$/)
  t.ok(lines.includes('a certificate cannot be read'))
})
