import { once } from 'node:events'
import { createServer, request as plainRequest, type RequestListener } from 'node:http'
import { createServer as createSecureServer, request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { createConnectionLimits } from 'http-edge'
import t, { type Test } from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { listen } from 'test-kit/ports'
import { responds } from 'test-kit/until'
import type { AcmeOptions } from '../src/acme/issuer.ts'
import { IssueError, type Issuer } from '../src/certificates/issuer.ts'
import { openDomains } from '../src/custom-domains.ts'
import {
  BrokenStateError,
  type CustomDomains,
  type CustomDomainsOptions,
  customDomains,
  fileStorage,
  StorageUnavailableError,
} from '../src/index.ts'
import type { DomainStorage } from '../src/state/storage.ts'
import { DAY, fakeClock, MINUTE } from './fixtures/clock.ts'
import { diskOf, storageOn } from './fixtures/disk.ts'
import { startDnsServer } from './fixtures/dns-server.ts'
import { domainOf, until } from './fixtures/domains.ts'

const [docs, help] = ['docs.shop.test', 'help.shop.test']
const target = 'sites.platform.test'
const authorities = [{ directoryUrl: 'https://ca.test', email: 'operator@platform.test' }] as const
const anyPorts = { http: 0, https: 0, host: '127.0.0.1' }
const echo: RequestListener = ({ headers, url }, response) => void response.end(`${headers.host} ${url}`)

/** Domains whose DNS records point here, and an authority that issues once `validate` resolves. */
async function open(
  t: Test,
  options: Partial<Parameters<typeof openDomains>[0]> = {},
  validate = async (_host: string, _challenges: AcmeOptions['challenges']) => {},
) {
  const leadsHere = `CNAME ${target}`
  const { address, zone } = await startDnsServer(t, { [target]: 'A 127.0.0.1', [docs]: leadsHere, [help]: leadsHere })
  const pems = new Map<string, string>()
  const reasons: string[] = []
  const issuer: Omit<Issuer, 'authority'> = {
    identities: async () => [],
    resume: async () => undefined,
    renewalWindow: async () => undefined,
    revoke(_host, _pem, reason) {
      reasons.push(reason)
      return Promise.reject(new IssueError({ code: 'ca_unavailable', detail: 'offline' }))
    },
    async issue(host) {
      await validate(host, challenges)
      return pems.set(host, await makeCertificate(host)).get(host) as string
    },
  }
  let challenges: AcmeOptions['challenges']
  const issuerAt = ({ directoryUrl, ...given }: AcmeOptions) => {
    challenges = given.challenges
    return { authority: directoryUrl, ...issuer }
  }
  const places = { storage: storageOn(diskOf()), target, authorities, dnsServers: [address] }
  const domains = await openDomains({ ...places, issuerAt, ...options })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= domains.close()
    return closed
  }
  t.teardown(close)
  return { domains, zone, pems, reasons, close }
}

/** Strict-Transport-Security if it is sent, the status, and the body or the address of a redirect. */
async function visit(port: number, host: string, path: string, ca?: string): Promise<string> {
  const target = { host: '127.0.0.1', port, path, agent: false, headers: { host } }
  const request = ca === undefined ? plainRequest(target) : secureRequest({ ...target, ca, servername: host })
  const [response] = await once(request.end(), 'response')
  const { location, 'strict-transport-security': hsts } = response.headers
  return `${hsts ? `${hsts} ` : ''}${response.statusCode} ${location ?? (await text(response))}`
}

async function publish(domains: CustomDomains, host: string) {
  await domains.verify(host)
  await until(() => domains.find(host)?.state === 'live')
}

t.test('any server is served at two domains, also after a restart', async (t) => {
  const folder = t.testdir()
  const former = 'former.test'
  const first = await open(t, { storage: fileStorage(folder), target: [target, former] })
  Object.assign(first.zone, { [former]: 'A 127.0.0.1', [help]: `CNAME ${former}` })
  await t.rejects(first.domains.add(`docs.${former}`), { code: 'invalid_domain' })
  const live: string[] = []
  first.domains.on('live', ({ domain }) => live.push(domain))
  const ports = await first.domains.listen(echo, anyPorts)
  const record = { type: 'CNAME', name: 'docs', value: target, ttl: 3600 }
  t.match(await first.domains.add(docs), { domain: docs, state: 'added', record })
  await first.domains.add(help)
  for (const host of [docs, help]) await publish(first.domains, host)
  t.strictSame(live, [docs, help])

  const { pems } = first
  for (const host of [docs, help]) {
    t.equal(await visit(ports.https, host, '/a', pems.get(host)), `200 ${host} /a`)
    t.equal(await visit(ports.http, host, '/a'), `308 https://${host}/a`)
  }
  t.match(await first.domains.redirect(help, docs), { redirect: { to: docs, status: 301, isActive: true } })
  t.equal(await visit(ports.https, help, '/a', pems.get(help)), `301 https://${docs}/a`)
  t.equal((await first.domains.redirect(help, false)).redirect, undefined)
  t.equal(await visit(ports.http, 'other.shop.test', '/'), '421 Nothing is served at this domain.\n')
  t.match(await text(connect(ports.http, '127.0.0.1').end('rubbish\r\n\r\n')), /^HTTP\/1\.1 400 Bad Request\r\n/)
  await first.close()

  const unservedText = 'Hier ist niemand, für 0 €.'
  const next = await open(t, { storage: fileStorage(folder), unservedText, hstsSeconds: 60 })
  const again = await next.domains.listen(echo, anyPorts)
  t.equal(await visit(again.https, docs, '/b', pems.get(docs)), `max-age=60 200 ${docs} /b`)
  t.match(await next.domains.redirect(docs, help, 302), { redirect: { to: help, status: 302 } })
  t.match(next.domains.list({ search: 'HELP' }), { count: 1, total: 2 })
  await next.domains.remove(docs)
  t.match(next.domains.list(), { count: 1, domains: [{ domain: help }] })
  await t.rejects(visit(again.https, docs, '/b', pems.get(docs)), /handshake failure/)
  t.equal(await visit(again.http, docs, '/b'), '421 Hier ist niemand, für 0 €.')
})

t.test('a server that reports errors of its parser, and has a log, keeps both', async (t) => {
  const { domains } = await open(t)
  const server = createServer(echo).on('clientError', (_error, socket) => socket.end('refused'))
  const lines: string[] = []
  const note = (_details: object, message: string) => void lines.push(message)
  const log = { info: note, warn: note, error: note }
  const { http } = await domains.listen({ routing: echo, server, log }, anyPorts)
  t.equal(await text(connect(http, '127.0.0.1').end('rubbish\r\n\r\n')), 'refused')
  await visit(http, 'other.shop.test', '/')
  t.strictSame(lines, ['request completed'])
})

t.test('both ports count their connections with those of other servers', async (t) => {
  const { domains } = await open(t)
  const connectionLimits = createConnectionLimits({ maxConnections: 10 })
  const { http, https } = await domains.listen(echo, { ...anyPorts, connectionLimits })
  const sockets = [http, https].map((port) => connect(port, '127.0.0.1'))
  await until(() => connectionLimits.connections().open === 2)
  for (const socket of sockets) socket.destroy()
})

t.test('a rejection has a code, the status that fits it, and a message', async (t) => {
  const asked: string[] = []
  const allow = async (host: string) => {
    asked.push(host)
    return host !== 'banned.shop.test' || 'plan_required'
  }
  const { domains } = await open(t, { allow, limit: 1 })
  await t.rejects(domains.redirect(docs, help), { name: 'DomainError', code: 'domain_not_found', status: 404 })
  await t.rejects(domains.add('banned.shop.test'), { code: 'not_allowed', status: 403, reason: 'plan_required' })
  const message = 'Certificates cannot be issued for names that end in .local.'
  await t.rejects(domains.add('shop.local'), { code: 'invalid_domain', status: 400, message })
  await domains.add(docs)
  await t.rejects(domains.add(help), { code: 'too_many_domains', status: 409 })
  t.strictSame(asked, ['banned.shop.test', docs])
  await publish(domains, docs)
  await t.rejects(domains.verify(docs), { code: 'rate_limited', status: 429 })
  await t.rejects(domains.remove(docs, 'keyCompromise'), { code: 'not_revoked', status: 502 })
})

t.test('there may be a thousand domains, unless it is configured otherwise', async (t) => {
  const disk = diskOf(...Array.from({ length: 999 }, (_, at) => domainOf(`${at}.shop.test`)))
  const { domains } = await open(t, { storage: storageOn(disk) })
  await domains.add(docs)
  await t.rejects(domains.add(help), { code: 'too_many_domains' })
})

t.test('a certificate is reissued, or revoked where its authority responds; metrics see when it ends', async (t) => {
  const { domains, reasons } = await open(t)
  await domains.listen(echo, anyPorts)
  t.strictSame(domains.pairOf('shop.test'), { host: 'shop.test', counterpart: 'www.shop.test' })
  await domains.add(docs, { owner: 'one' })
  t.equal(domains.find(docs)?.owner, 'one')
  await publish(domains, docs)
  t.match(domains.certificates(), [{ domain: docs, notAfter: String }])
  t.strictSame([...domains.damaged()], [])
  await t.rejects(domains.revoke(docs, 'keyCompromise'), { name: 'DomainError', code: 'not_revoked' })
  t.strictSame(reasons, ['keyCompromise'])
  t.match(await domains.reissue(docs.toUpperCase()), { domain: docs, state: 'verifying' })
  await domains.update(({ roles }) => roles.set('first', docs))
  t.equal(domains.roleOf('first'), docs)
})

t.test('a problem is an event, and a code and sentences of the domain', async (t) => {
  const { domains, zone } = await open(t)
  const problems: object[] = []
  domains.on('problem', (event) => problems.push(event))
  await domains.add(docs)
  t.equal(domains.find(help), undefined)
  t.hasStrict(domains.find(docs.toUpperCase()), { problem: undefined })
  delete zone[docs]
  await domains.verify(docs)
  await until(() => problems.length > 0)
  t.strictSame(problems, [{ domain: docs, problem: { code: 'record_missing' } }])
  const texts = { nextTryAt: /^\d{4}-/, message: String, steps: [String], notes: [String] }
  t.match(domains.find(docs), { state: 'failed', summary: String, problem: { code: 'record_missing', ...texts } })
  zone[docs] = `CNAME ${target}`
})

t.test('a certificate that expires is an event; one that is confirmed is not', async (t) => {
  const clock = fakeClock(new Date())
  const { domains, zone } = await open(t, { clock })
  const events: string[] = []
  domains.on('live', ({ domain }) => {
    events.push(`live ${domain}`)
    t.match(domains.find(docs), { state: 'live', problem: undefined }, 'the list agrees')
  })
  domains.on('problem', ({ problem }) => events.push(problem.code))
  const lines: string[] = []
  const note = (_details: object, message: string) => void lines.push(message)
  await domains.start({ info: note, warn: note, error: note })
  await domains.add(docs)
  await publish(domains, docs)
  t.type(domains.find(docs)?.hint, 'string')
  await clock.pass(2 * DAY, async () => {})
  t.strictSame(events, [`live ${docs}`])
  t.ok(lines.includes('the domain is live'))
  delete zone[docs]
  clock.jump(365 * DAY)
  await clock.pass(2 * MINUTE, async () => {})
  await until(() => domains.find(docs)?.state === 'failed')
  t.ok(events.length > 1)
})

t.test('servers of your own: challenges on one, certificates on the other', async (t) => {
  const next: string[] = []
  let alone = 0
  const { domains, pems } = await open(t, {}, async (host, challenges) => {
    await challenges.set('the-token', 'the-token.thumbprint')
    t.equal(await visit(alone, host, '/.well-known/acme-challenge/the-token'), '200 the-token.thumbprint')
    await challenges.delete('the-token')
  })
  const mine: RequestListener = (request, response) =>
    domains.challengeHandler(request, response, () => next.push(`${request.url}`) && response.end('mine'))
  const challenges = createServer((request, response) => domains.challengeHandler(request, response))
  alone = await listen(t, challenges)
  const before = await listen(t, createServer(mine))
  const secure = await listen(t, createSecureServer({ SNICallback: domains.SNICallback }, echo))
  await domains.start()
  await domains.add(docs)
  await publish(domains, docs)
  t.equal(await visit(secure, docs, '/a', pems.get(docs)), `200 ${docs} /a`)
  t.equal(await visit(alone, docs, '/.well-known/acme-challenge/the-token'), '404 ')
  t.equal(await visit(before, docs, '/a'), '200 mine')
  t.strictSame(next, ['/a'])
})

t.test('while the storage is unreachable, operations throw and handshakes fail; then all is served', async (t) => {
  const broken = new BrokenStateError('the state cannot be used')
  const failures = [new StorageUnavailableError('unreachable', 2), broken, broken]
  const stored = storageOn(diskOf(domainOf(docs)))
  const load = () => (failures.length > 0 ? Promise.reject(failures.shift()) : stored.load())
  const storage = { ...stored, load }
  const warnings = t.capture(process, 'emitWarning')
  const { domains } = await open(t, { storage })
  await t.rejects(domains.add(help), { name: 'StorageUnavailableError', retryAfterSeconds: 2 })
  t.throws(() => domains.list(), { name: 'StorageUnavailableError' })
  domains.SNICallback(docs, (error, context) => t.strictSame([error, context], [null, undefined]))
  await domains.start()
  await until(() => failures.length === 0)
  const list = async () => domains.list()
  while (!(await responds(list()))) await setImmediate()
  t.match(domains.list(), { total: 1, domains: [{ domain: docs, state: 'added' }] })
  t.equal(domains.webhook, undefined)
  t.match(warnings(), { length: 1, 0: { args: ['the state cannot be used'] } })
})

t.test('options are checked at once, each by its name', async (t) => {
  const wrong = {
    target: 'https://cname.platform.test/',
    platform: 'platform',
    authorities: [{ directoryUrl: 'http://ca.test' }, null],
    dnsServers: ['dns.example', '127.0.0.1:0', '[::1]:65536'],
    webhook: { url: 'ftp://hooks.test', secrets: ['whsec_secret', Buffer.alloc(23), Buffer.alloc(65)] },
  }
  const isClosed: boolean[] = []
  const storage = { close: async () => void isClosed.push(true) } as Partial<DomainStorage> as DomainStorage
  const errorOf = (options: object) =>
    customDomains({ storage, ...options } as CustomDomainsOptions).catch(({ message }) => message.split('\n'))
  const address = 'must be an address such as 9.9.9.9, 127.0.0.1:5353 or [::1]:5353'
  t.strictSame(await errorOf(wrong), [
    'target must be a domain, not "https://cname.platform.test/"',
    'platform must be a domain, not "platform"',
    `dnsServers[0] ${address}, not "dns.example"`,
    `dnsServers[1] ${address}, not "127.0.0.1:0"`,
    `dnsServers[2] ${address}, not "[::1]:65536"`,
    'authorities[0].directoryUrl must be an https URL, not "http://ca.test"',
    'authorities[1].directoryUrl must be an https URL',
    'webhook.url must be an https or http URL, not "ftp://hooks.test"',
    ...[0, 1, 2].map((index) => `webhook.secrets[${index}] must be a Buffer of 24 to 64 bytes`),
  ])
  const empty = { authorities: [], target: ['a.test', 'b'], webhook: { url: 'https://a.test', secrets: 'whsec_' } }
  t.strictSame(await errorOf(empty), [
    'target[1] must be a domain, not "b"',
    'authorities must be a list of at least one',
    'webhook.secrets must be a list of at least one',
  ])
  const right = {
    dnsServers: ['9.9.9.9', '::1', '127.0.0.1:1', '[::1]:65535'],
    webhook: { url: 'http://a.test', secrets: [Buffer.alloc(24), Buffer.alloc(64)] },
  }
  t.strictSame(await errorOf(right), ['target must be a domain', 'authorities must be a list of at least one'])
  t.equal(isClosed.length, 3, 'the storage is closed')
})
