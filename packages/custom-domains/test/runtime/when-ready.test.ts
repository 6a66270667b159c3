import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { deferred } from 'test-kit/until'
import { type DomainStorage, StorageUnavailableError } from '../../src/state/storage.ts'
import { diskOf, storageOn } from '../fixtures/disk.ts'
import { domainOf } from '../fixtures/domains.ts'
import { platform, publish } from '../fixtures/publish.ts'

const host = 'docs.shop.test'
const unreachable = () => Promise.reject(new StorageUnavailableError('the database is unreachable', 2))

/** Domains on a storage whose state `load` loads; it gets the number of the attempt. */
async function publishFrom(t: Test, load: (attempt: number) => Promise<unknown>) {
  const stored = storageOn(diskOf(domainOf(host)))
  const closed: string[] = []
  let attempts = 0
  const counted = () => load(++attempts).then(() => stored.load())
  const storage: DomainStorage = { ...stored, load: counted, close: async () => void closed.push('storage') }
  return { site: await publish(t, { storage }), closed }
}

async function ask(port: number, host: string) {
  const request = get({ host: '127.0.0.1', port, path: '/docs', agent: false, headers: { host } })
  const [response] = await once(request, 'response')
  const { statusCode, headers } = response as IncomingMessage
  return { status: statusCode, retryAfter: headers['retry-after'], body: await text(response) }
}

t.test('everything gets 503 until the storage is reachable', async (t) => {
  const { promise, resolve } = deferred<void>()
  const { site, closed } = await publishFrom(t, (attempt) => (attempt === 1 ? unreachable() : promise))
  const { http, https } = await site.listen()
  const body = 'This domain cannot be served at the moment. Try again later.\n'
  const unavailable = { status: 503, retryAfter: '2', body }
  for (const each of [host, platform.domain]) t.strictSame(await ask(http, each), unavailable)
  const handshake = connect({ host: '127.0.0.1', port: https, servername: host })
  t.match((await once(handshake, 'error'))[0], { message: /alert handshake failure/ })
  t.throws(() => site.registry, { name: 'StorageUnavailableError', retryAfterSeconds: 2 })
  t.equal(site.webhook, undefined)
  resolve()
  let answer = await ask(http, platform.domain)
  while (answer.status === 503) answer = await ask(http, platform.domain)
  t.strictSame(answer, { status: 200, retryAfter: undefined, body: 'docs' })
  t.equal((await ask(http, host)).status, 421)
  t.match(site.registry.list(), { domains: [{ domain: host, state: 'added' }] })
  t.strictSame(site.reports, [])
  await site.close()
  t.strictSame(closed, ['storage'])
  await t.rejects(ask(http, host), { code: 'ECONNREFUSED' })
})

t.test('it can be closed before it listens, while it waits, and just before the storage responds', async (t) => {
  const early = await publishFrom(t, unreachable)
  await early.site.close()
  t.strictSame(early.closed, ['storage'])

  const waiting = await publishFrom(t, unreachable)
  const { http } = await waiting.site.listen()
  await waiting.site.close()
  t.strictSame(waiting.closed, ['storage'])
  await t.rejects(ask(http, host), { code: 'ECONNREFUSED' })

  const { promise, resolve } = deferred<void>()
  const loading = deferred<void>()
  const late = await publishFrom(t, (attempt) => {
    if (attempt === 1) return unreachable()
    loading.resolve()
    return promise
  })
  const ports = await late.site.listen()
  await loading.promise
  const closed = late.site.close()
  resolve()
  await closed
  t.strictSame(late.closed, ['storage'])
  await t.rejects(ask(ports.http, host), { code: 'ECONNREFUSED' })
  await t.rejects(late.site.registry.verify(host), /the domains can no longer be changed/)
})
