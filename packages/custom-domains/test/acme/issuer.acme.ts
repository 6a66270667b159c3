import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { accountKeysOf } from '../../src/acme/account-keys.ts'
import { withSession } from '../../src/acme/client.ts'
import { acmeIssuer } from '../../src/acme/issuer.ts'
import { readCertificate } from '../../src/certificates/certificate.ts'
import { renewsAt } from '../../src/maintenance/schedule.ts'
import { errorOf, storeOf } from '../fixtures/acme-issuer.ts'
import { startAcmeProxy } from '../fixtures/acme-proxy.ts'
import { startDnsServer } from '../fixtures/dns-server.ts'
import { hasRenewalInfo, type PebbleOptions, startPebble } from '../fixtures/pebble.ts'

const host = 'docs.shop.test'
const never = new AbortController().signal
const unsaved = async () => {}

// In parallel: between two polls of an order, a test only waits.
t.jobs = 3

t.test('of several chains, the default one is taken as a whole', async (t) => {
  const { pebble, issuer } = await setUp(t, { chainLength: 3, alternates: 2 })
  const pem = await issuer.issue(host, never, unsaved)
  t.equal(pem.match(/BEGIN CERTIFICATE/g)?.length, 4)
  t.ok(isChain(pem, await pebble.root()))
})

t.test('all orders use one account, which is created again if the authority does not know it', async (t) => {
  const { issuer, keys, proxy, withEmail } = await setUp(t)
  await issuer.issue(host, never, unsaved)
  const [key] = keys.values()
  await issuer.issue(host, never, unsaved)
  t.strictSame([...keys.values()], [key])
  const updates = () => proxy.requests.filter((line) => line.startsWith('POST /my-account/')).length
  t.equal(updates(), 0)
  await withEmail('other@shop.test').issue(host, never, unsaved)
  t.equal(updates(), 1, 'another contact address is sent to the authority')
  const elsewhere = await setUp(t, {}, key)
  t.strictSame(readCertificate(await elsewhere.issuer.issue(host, never, unsaved)).hosts, [host])
  t.equal(elsewhere.keys.get(elsewhere.proxy.directoryUrl), key)
})

t.test('an account that the authority has deactivated is replaced', async (t) => {
  const { issuer, keys, proxy } = await setUp(t)
  await issuer.issue(host, never, unsaved)
  const [former] = keys.values()
  const session = { ...proxy, keys: accountKeysOf(storeOf(keys), proxy.directoryUrl) }
  await withSession(host, session, never, async ({ account, post }) => post(await account(), { status: 'deactivated' }))
  t.strictSame(readCertificate(await issuer.issue(host, never, unsaved)).hosts, [host])
  t.not([...keys.values()][0], former)
})

const skip = !hasRenewalInfo && 'this Pebble has no renewal information: see PEBBLE_PATH'
t.test('the authority suggests when to renew, and a new order replaces the certificate', { skip }, async (t) => {
  const { issuer, proxy } = await setUp(t)
  const ordersFor = async (certificate: string) => {
    proxy.requests.length = 0
    await issuer.issue(host, never, unsaved, certificate)
    return proxy.requests.filter((line) => line === 'POST /order-plz').length
  }
  let former = await issuer.issue(host, never, unsaved)
  const { start = '', end = '' } = (await issuer.renewalWindow(host, former, never)) ?? {}
  const { notBefore, notAfter } = readCertificate(former)
  t.ok(notBefore < start && start < end && end <= notAfter)
  let orders = await ordersFor(former)
  for (let again = 0; orders > 1 && again < 5; again++) {
    former = await issuer.issue(host, never, unsaved) // Pebble did not have the other one yet
    orders = await ordersFor(former)
  }
  t.equal(orders, 1, 'the authority accepts what it replaces')
  t.equal(await ordersFor(former), 2, 'a certificate can be replaced once: the second order counts as a new one')
})

t.test('a revoked certificate may be revoked again', async (t) => {
  const { issuer, proxy } = await setUp(t)
  const pem = await issuer.issue(host, never, unsaved)
  await issuer.revoke(host, pem, 'keyCompromise', never)
  await issuer.revoke(host, pem, 'superseded', never)
  t.equal(proxy.requests.filter((line) => line === 'POST /revoke-cert').length, 2)
})

t.test('the authority decides when a short-lived certificate expires', async (t) => {
  const { issuer } = await setUp(t, { validity: 60 })
  const certificate = readCertificate(await issuer.issue(host, never, unsaved))
  const [from, until] = [Date.parse(certificate.notBefore), Date.parse(certificate.notAfter)]
  t.equal((until - from) / 1000, 59) // the first and the last second count, RFC 5280, 4.1.2.5
  t.ok(renewsAt(host, certificate).getTime() <= (from + until) / 2)
})

t.test('requests with bad nonces are retried', async (t) => {
  const { issuer } = await setUp(t, { badNonces: 30 })
  // Six in a row fail an order: that is one order in a hundred here.
  const pem = await issuer.issue(host, never, unsaved).catch(() => issuer.issue(host, never, unsaved))
  t.strictSame(readCertificate(pem).hosts, [host])
})

t.test('the CAA identities come from the directory', async (t) => {
  const { issuer, proxy } = await setUp(t)
  t.strictSame(await issuer.identities(never), hasRenewalInfo ? ['pebble.letsencrypt.org'] : [], 'of each version')
  proxy.injections['/dir'] = { meta: { caaIdentities: ['authority.example'] } }
  t.strictSame(await issuer.identities(never), ['authority.example'])
})

t.test("a challenge that is unreachable, or has a wrong response, is reported with the authority's text", async (t) => {
  const { issuer, challenges, web, zone } = await setUp(t)
  const problem = async () => (await errorOf(issuer.issue(host, never, unsaved))).problem
  delete zone[host]
  t.match(await problem(), { code: 'ca_cannot_connect', detail: host })
  zone[host] = 'A 127.0.0.1'
  challenges.get = () => 'wrong'
  t.match(await problem(), { code: 'ca_cannot_connect', detail: 'wrong' })
  web.close()
  t.match(await problem(), { code: 'ca_cannot_connect', detail: 'refused' })
})

/** True if each certificate is issued by the next one, and the last one by the root. */
function isChain(pem: string, root: string): boolean {
  const texts = pem.match(/-----BEGIN CERTIFICATE.*?END CERTIFICATE-----/gs) ?? []
  const chain = [...texts, root].map((text) => new X509Certificate(text))
  return chain.slice(1).every(({ publicKey }, index) => chain[index]?.verify(publicKey))
}

/** Pebble behind a proxy, DNS and a web server for one host. @param key of an existing account */
async function setUp(t: Test, options: Partial<PebbleOptions> = {}, key?: string) {
  const challenges = new Map<string, string>()
  const web = createServer(({ url = '' }, response) =>
    response.end(challenges.get(url.slice(url.lastIndexOf('/') + 1))),
  )
  const httpPort = await listen(t, web)
  const { address, zone } = await startDnsServer(t, { [host]: 'A 127.0.0.1' })
  const pebble = await startPebble(t, { dnsServer: address, httpPort, ...options })
  const proxy = await startAcmeProxy(t, pebble)
  const keys = new Map(key === undefined ? [] : [[proxy.directoryUrl, key]])
  const withEmail = (email: string) => acmeIssuer({ ...proxy, email, accountKey: storeOf(keys), challenges })
  return { withEmail, pebble, proxy, web, zone, challenges, keys, issuer: withEmail('operator@shop.test') }
}
