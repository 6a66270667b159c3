import { getCiphers } from 'node:tls'
import t from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { keyIdOf } from '../../src/certificates/certificate.ts'
import { handshake } from '../../src/ports/handshake.ts'
import { emptySnapshot } from '../../src/state/snapshot.ts'
import { openPorts, routingOf } from '../fixtures/ports.ts'
import { domainOf } from '../fixtures/registry.ts'

const host = 'docs.shop.test'
const certificate = (issuedAt: string) => ({ issuer: 'Tests', notBefore: issuedAt, notAfter: '' })

/** Handshakes with this live domain, and what they have led to. */
function handshakes(load: (host: string) => Promise<string | undefined>) {
  const world = { snapshot: routingOf({ states: { [host]: 'live' } }).snapshot, loads: 0, lines: [] as string[] }
  const note = (kind: string) => (_domain: unknown, reason: string) => world.lines.push(`${kind}: ${reason}`)
  const counted = (name: string) => {
    world.loads++
    return load(name)
  }
  const noting = { onBroken: note('broken'), onError: note('error') }
  const SNICallback = handshake({ snapshot: () => world.snapshot, load: counted, ...noting })
  return {
    world,
    /** As after a renewal. */
    renew(issuedAt: string) {
      const domain = { ...domainOf(host, { state: 'live' }), certificate: certificate(issuedAt) }
      world.snapshot = { ...world.snapshot, domains: new Map([[host, domain]]) }
    },
    contextOf: (name = host) => new Promise((resolve) => SNICallback(name, (_error, context) => resolve(context))),
  }
}

t.test('a certificate is loaded at the first handshake, and again once it is renewed', async (t) => {
  const pem = await makeCertificate(host)
  const { world, renew, contextOf } = handshakes(async () => pem)
  t.equal(world.loads, 0)
  const [first, other] = await Promise.all([contextOf(), contextOf()])
  t.ok(first)
  t.equal(other, first)
  t.equal(await contextOf(), first)
  t.equal(await contextOf('none.shop.test'), undefined)
  t.equal(world.loads, 1)
  renew('later')
  t.not(await contextOf(), first)
  t.equal(world.loads, 2)
  world.snapshot = emptySnapshot
  t.equal(await contextOf(), undefined, 'the domain was removed')
  t.strictSame(world.lines, [])
})

t.test('a domain that is removed while its certificate is being loaded is not served', async (t) => {
  const pem = await makeCertificate(host)
  const { world, contextOf } = handshakes(async () => {
    world.snapshot = emptySnapshot
    return pem
  })
  t.equal(await contextOf(), undefined)
})

t.test('a missing or broken certificate is reported', async (t) => {
  const stored: (string | undefined)[] = [undefined, 'rubbish', await makeCertificate('other.shop.test')]
  const { world, contextOf } = handshakes(async () => stored.shift())
  for (const _each of [1, 2, 3]) t.equal(await contextOf(), undefined)
  t.match(world.lines, ['broken: it is missing', /^broken: .*/, 'broken: it is for other.shop.test'])
})

t.test('while the storage cannot be read, the former certificate is served, and the storage has a rest', async (t) => {
  const pem = await makeCertificate(host)
  let isAway = false
  const { world, renew, contextOf } = handshakes(async () => {
    if (isAway) throw new Error('unreachable')
    return pem
  })
  const former = await contextOf()
  isAway = true
  renew('later')
  const timers = t.capture(globalThis, 'setTimeout', (_end: () => void, _ms?: number) => ({ unref() {} }))
  for (const _each of [1, 2, 3]) t.equal(await contextOf(), former)
  t.strictSame([world.loads, world.lines], [2, ['error: unreachable']])
  const [{ args: [rest, ms] = [] } = {}] = timers()
  t.equal(ms, 1_000)
  isAway = false
  rest?.()
  t.not(await contextOf(), former, 'then it is read again')
})

t.test('the certificates that were used last are kept in memory', async (t) => {
  const [one, two, three] = ['one.shop.test', 'two.shop.test', 'three.shop.test'] as const
  const { snapshot } = routingOf({ states: { [one]: 'live', [two]: 'live', [three]: 'live' } })
  const loads: string[] = []
  async function load(each: string) {
    loads.push(each)
    return makeCertificate(each)
  }
  const fail = (_domain: unknown, reason: string) => t.fail(reason)
  const SNICallback = handshake({ snapshot: () => snapshot, load, onBroken: fail, onError: fail, limit: 2 })
  const visit = (each: string) => new Promise((resolve) => SNICallback(each, (_error, context) => resolve(context)))
  for (const each of [one, two, one, three, one, two]) t.ok(await visit(each))
  t.strictSame(loads, [one, two, three, two])
})

t.test('TLS 1.2 has forward secrecy and authenticated encryption', async (t) => {
  const { dialSecurely } = await openPorts(t, () => routingOf({ states: { [host]: 'live' } }))
  const isAccepted = (cipher: string) =>
    new Promise((resolve) => {
      const socket = dialSecurely(host, { maxVersion: 'TLSv1.2', ciphers: `${cipher}:@SECLEVEL=0` })
      socket.on('secureConnect', () => resolve(true)).on('error', () => resolve(false))
    })
  const accepted: string[] = []
  for (const name of getCiphers().map((name) => name.toUpperCase()))
    if (name.includes('ECDSA') && (await isAccepted(name))) accepted.push(name)
  const suites = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map((name) => `ECDHE-ECDSA-${name}`)
  t.strictSame(accepted.sort(), suites)
})

t.test('a certificate in memory is no longer sent once any instance has revoked it', async (t) => {
  const pem = await makeCertificate(host)
  const { world, contextOf } = handshakes(async () => pem)
  t.ok(await contextOf())
  world.snapshot = { ...world.snapshot, revoked: new Map([[keyIdOf(pem), '']]) }
  t.equal(await contextOf(), undefined)
})
