import { EventEmitter, once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { deferred } from '../../../../test/fixtures/deferred.ts'
import { publishDomains } from '../../src/publish/index.ts'
import { publishWhenReady } from '../../src/publish/when-ready.ts'
import { type DomainStorage, StorageUnavailableError } from '../../src/state/storage.ts'
import { startDnsServer } from '../fixtures/dns-server.ts'
import { domainOf, emptyDisk, storageOn } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const platform = { domain: 'orders.platform.test', cnameTarget: 'sites.platform.test' }
const unreachable = () => Promise.reject(new StorageUnavailableError('the database is unreachable', 2))

/** Domains on a storage whose state `load` loads; it gets the number of the attempt. */
async function publish(t: Test, load: (attempt: number) => Promise<unknown>) {
  const { address } = await startDnsServer(t, {})
  const disk = { ...emptyDisk(), state: JSON.stringify({ domains: [domainOf(host)] }) }
  const closed: string[] = []
  const lines: string[] = []
  let attempts = 0
  const stored = storageOn(disk)
  const storage: DomainStorage = {
    ...stored,
    async load() {
      await load(++attempts)
      return stored.load()
    },
  }
  const authorities = [{ directoryUrl: 'https://ca.test', email: 'operator@platform.test' }] as const
  const site = await publishWhenReady({
    publish: () =>
      publishDomains({ storage, platform, allow: async () => true, limit: 100, authorities, dnsServers: [address] }),
    report: (_level, message) => lines.push(message),
    hstsSeconds: 0,
    closeStorage: async () => void closed.push('storage'),
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await site.close()
    isOpen = false
  }
  t.teardown(close)
  const log = { info() {}, warn() {}, error() {} }
  const routing = (_request: unknown, response: { end(text: string): unknown }) => void response.end('docs')
  const listen = () => site.listen({ routing, server: new EventEmitter(), log }, '127.0.0.1', { http: 0, https: 0 })
  return {
    registry: () => site.registry,
    webhook: () => site.webhook,
    listen,
    close,
    lines,
    closed,
    attempts: () => attempts,
  }
}

async function ask(port: number, host: string) {
  const [response] = await once(
    get({ host: '127.0.0.1', port, path: '/docs', agent: false, headers: { host } }),
    'response',
  )
  const { statusCode, headers } = response as IncomingMessage
  return { status: statusCode, retryAfter: headers['retry-after'], body: await text(response) }
}

t.test('everything gets 503 until the storage is reachable', async (t) => {
  const { promise, resolve } = deferred<void>()
  const site = await publish(t, (attempt) => (attempt === 1 ? unreachable() : promise))
  const { http, https } = await site.listen()
  const unavailable = {
    status: 503,
    retryAfter: '2',
    body: 'This domain cannot be served at the moment. Try again later.\n',
  }
  for (const each of [host, platform.domain]) t.strictSame(await ask(http, each), unavailable)
  const handshake = connect({ host: '127.0.0.1', port: https, servername: host })
  t.match((await once(handshake, 'error'))[0], { message: /alert handshake failure/ })
  t.throws(site.registry, { name: 'StorageUnavailableError', retryAfterSeconds: 2 })
  t.equal(site.webhook(), undefined)
  resolve()
  let answer = await ask(http, platform.domain)
  while (answer.status === 503) answer = await ask(http, platform.domain)
  t.strictSame(answer, { status: 200, retryAfter: undefined, body: 'docs' })
  t.equal((await ask(http, host)).status, 421)
  t.match(site.registry().list(), { domains: [{ domain: host, state: 'added' }] })
  t.strictSame(site.lines, [])
  await site.close()
  t.strictSame(site.closed, ['storage'])
  await t.rejects(ask(http, host), { code: 'ECONNREFUSED' })
})

t.test('it can be closed before it listens, while it waits, and just before the storage responds', async (t) => {
  const early = await publish(t, unreachable)
  await early.close()
  t.strictSame(early.closed, ['storage'])

  const waiting = await publish(t, unreachable)
  const { http } = await waiting.listen()
  await waiting.close()
  t.strictSame(waiting.closed, ['storage'])
  await t.rejects(ask(http, host), { code: 'ECONNREFUSED' })

  const { promise, resolve } = deferred<void>()
  const loading = deferred<void>()
  const late = await publish(t, (attempt) => {
    if (attempt === 1) return unreachable()
    loading.resolve()
    return promise
  })
  const ports = await late.listen()
  await loading.promise
  const closed = late.close()
  resolve()
  await closed
  t.strictSame(late.closed, ['storage'])
  await t.rejects(ask(ports.http, host), { code: 'ECONNREFUSED' })
  await t.rejects(late.registry().verify(host), /the domains can no longer be changed/)
})
