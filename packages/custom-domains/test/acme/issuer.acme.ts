import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { acmeIssuer } from '../../src/acme/issuer.ts'
import { readCertificate } from '../../src/certificates/certificate.ts'
import { storeOf } from '../fixtures/acme-issuer.ts'
import { startAcmeProxy } from '../fixtures/acme-proxy.ts'
import { startDnsServer } from '../fixtures/dns-server.ts'
import { neverAborted } from '../fixtures/never-aborted.ts'
import { hasRenewalInfo, type PebbleOptions, startPebble } from '../fixtures/pebble.ts'

const host = 'docs.shop.test'
const unsaved = async () => {}

// In parallel: between two polls of an order, a test only waits.
t.jobs = 3

t.test('of several chains, the default one is taken as a whole', async (t) => {
  const { pebble, issuer } = await setUp(t, { chainLength: 3, alternates: 2 })
  const pem = await issuer.issue(host, neverAborted, unsaved)
  t.equal(pem.match(/BEGIN CERTIFICATE/g)?.length, 4)
  t.ok(isChain(pem, await pebble.root()))
})

const skip = !hasRenewalInfo && 'this Pebble has no renewal information: see PEBBLE_PATH'
t.test('the authority suggests when to renew, and a new order replaces the certificate', { skip }, async (t) => {
  const { issuer, proxy } = await setUp(t)
  const ordersFor = async (certificate: string) => {
    proxy.requests.length = 0
    await issuer.issue(host, neverAborted, unsaved, certificate)
    return proxy.requests.filter((line) => line === 'POST /order-plz').length
  }
  let former = await issuer.issue(host, neverAborted, unsaved)
  const { start = '', end = '' } = (await issuer.renewalWindow(host, former, neverAborted)) ?? {}
  const { notBefore, notAfter } = readCertificate(former)
  t.ok(notBefore < start && start < end && end <= notAfter)
  let orders = await ordersFor(former)
  for (let again = 0; orders > 1 && again < 5; again++) {
    former = await issuer.issue(host, neverAborted, unsaved) // Pebble did not have the other one yet
    orders = await ordersFor(former)
  }
  t.equal(orders, 1, 'the authority accepts what it replaces')
  t.equal(await ordersFor(former), 2, 'a certificate can be replaced once: the second order counts as a new one')
})

t.test('a revoked certificate may be revoked again', async (t) => {
  const { issuer, proxy } = await setUp(t)
  const pem = await issuer.issue(host, neverAborted, unsaved)
  await issuer.revoke(host, pem, 'keyCompromise', neverAborted)
  await issuer.revoke(host, pem, 'superseded', neverAborted)
  t.equal(proxy.requests.filter((line) => line === 'POST /revoke-cert').length, 2)
})

/** True if each certificate is issued by the next one, and the last one by the root. */
function isChain(pem: string, root: string): boolean {
  const texts = pem.match(/-----BEGIN CERTIFICATE.*?END CERTIFICATE-----/gs) ?? []
  const chain = [...texts, root].map((text) => new X509Certificate(text))
  return chain.slice(1).every(({ publicKey }, index) => chain[index]?.verify(publicKey))
}

/** Pebble behind a proxy, DNS and a web server for one host. */
async function setUp(t: Test, options: Partial<PebbleOptions> = {}) {
  const challenges = new Map<string, string>()
  const web = createServer(({ url = '' }, response) =>
    response.end(challenges.get(url.slice(url.lastIndexOf('/') + 1))),
  )
  const httpPort = await listen(t, web)
  const { address } = await startDnsServer(t, { [host]: 'A 127.0.0.1' })
  const pebble = await startPebble(t, { dnsServer: address, httpPort, ...options })
  const proxy = await startAcmeProxy(t, pebble)
  const issuer = acmeIssuer({ ...proxy, email: 'operator@shop.test', accountKey: storeOf(new Map()), challenges })
  return { pebble, proxy, issuer }
}
