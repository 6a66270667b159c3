import { once } from 'node:events'
import { getCiphers } from 'node:tls'
import t from 'tap'
import { makeCertificate } from '../../../../test/fixtures/certificate.ts'
import { deferred } from '../../../../test/fixtures/deferred.ts'
import { ask } from '../../../../test/fixtures/raw.ts'
import { keyIdOf } from '../../src/certificates/certificate.ts'
import { handshake, rotateTicketKeys } from '../../src/ports/handshake.ts'
import { openPorts, routingOf } from '../fixtures/ports.ts'

t.test('a text that is not a certificate is rejected', async (t) => {
  const { snapshot } = routingOf({ states: { 'docs.shop.test': 'live' } })
  t.throws(() => handshake(() => snapshot).useCertificate('docs.shop.test', 'rubbish'))
})

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
  t.test(`a resumed session of ${maxVersion} is served`, async (t) => {
    const host = 'docs.shop.test'
    const { dialSecurely } = await openPorts(t, () =>
      routingOf({ states: { [host]: 'live', 'old.shop.test': 'failed' } }),
    )
    const request = (name: string) => `GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`
    const first = dialSecurely(host, { maxVersion })
    const [[session], { status }] = await Promise.all([once(first, 'session'), ask(first, request(host))])
    t.equal(status, 200)
    for (const [name, status] of [
      [host, 200],
      ['old.shop.test', 421],
    ] as const) {
      const socket = dialSecurely(host, { maxVersion, session })
      t.equal((await ask(socket, request(name))).status, status, name)
      t.equal(socket.isSessionReused(), true)
    }
  })
}

t.test('TLS 1.2 has forward secrecy and authenticated encryption', async (t) => {
  const host = 'docs.shop.test'
  const { dialSecurely } = await openPorts(t, () => routingOf({ states: { [host]: 'live' } }))
  const isAccepted = (cipher: string) =>
    new Promise((resolve) => {
      const socket = dialSecurely(host, { maxVersion: 'TLSv1.2', ciphers: `${cipher}:@SECLEVEL=0` })
      socket.on('secureConnect', () => resolve(true)).on('error', () => resolve(false))
    })
  const accepted: string[] = []
  for (const name of getCiphers().map((name) => name.toUpperCase())) {
    if (name.includes('ECDSA') && (await isAccepted(name))) accepted.push(name)
  }
  t.strictSame(accepted.sort(), [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
  ])
})

t.test('a certificate in memory is no longer sent once any instance has revoked it', async (t) => {
  const host = 'docs.shop.test'
  const { snapshot } = routingOf({ states: { [host]: 'live' } })
  const [revoked, current] = [await makeCertificate(host), await makeCertificate(host)]
  const { useCertificate, SNICallback } = handshake(() => ({ ...snapshot, revoked: new Map([[keyIdOf(revoked), '']]) }))
  const isServed = () =>
    new Promise((resolve) => SNICallback(host, (_error, context) => resolve(context !== undefined)))
  useCertificate(host, revoked)
  t.equal(await isServed(), false)
  useCertificate(host, current)
  t.equal(await isServed(), true)
})

t.test('every bit of the ticket keys is random', async (t) => {
  const keys: bigint[] = []
  const done = deferred<void>()
  const server = {
    setTicketKeys(key: Buffer) {
      keys.push(BigInt(`0x${key.toString('hex')}`))
      if (keys.length === 100) done.resolve()
    },
  }
  const alive = setInterval(() => {}, 1_000)
  const stop = rotateTicketKeys(server as never, 1)
  await done.promise
  stop()
  clearInterval(alive)
  t.equal(new Set(keys).size, keys.length)
  t.equal(
    keys.reduce((ones, key) => ones | key),
    2n ** 384n - 1n,
    'each is 1 in some key',
  )
  t.equal(
    keys.reduce((zeros, key) => zeros & key),
    0n,
    'and 0 in another',
  )
})

for (const protocol of ['h2', 'http/1.1']) {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    t.test(`a session of ${maxVersion} for ${protocol} is not resumed once the ticket keys have changed`, async (t) => {
      const host = 'docs.shop.test'
      const routing = routingOf({ states: { [host]: 'live' } })
      const { dialSecurely } = await openPorts(t, () => routing, undefined, { ticketKeysMs: 50 })
      const options = { maxVersion, ALPNProtocols: [protocol] }
      const [session] = await once(dialSecurely(host, options).resume(), 'session')
      async function isResumed() {
        const socket = dialSecurely(host, { ...options, session })
        await once(socket, 'secureConnect')
        return socket.isSessionReused()
      }
      while (await isResumed());
      t.pass('a full handshake')
    })
  }
}
