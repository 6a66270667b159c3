// Requests through a proxy. Node.js versions that cannot make them send them directly.
import t, { type Test } from 'tap'
import { canProxy, connectProxy, type OnConnect } from 'test-kit/connect-proxy'
import { createKey } from '../src/acme/account-keys.ts'
import { acmeIssuer } from '../src/acme/issuer.ts'
import { readCertificate } from '../src/certificates/certificate.ts'
import { sender } from '../src/webhook/send.ts'
import { startAuthority } from './fixtures/acme-authority.ts'
import { neverAborted } from './fixtures/never-aborted.ts'

const host = 'docs.example.com'

async function issueThrough(t: Test, onConnect: OnConnect, noProxy = '', credentials = '') {
  const proxy = await connectProxy(t, onConnect)
  const { directoryUrl, ca } = await startAuthority(t)
  const proxyEnv = { HTTPS_PROXY: `http://${credentials}${proxy.authority}`, NO_PROXY: noProxy }
  const accountKey = { load: async () => createKey(), replace: async () => {} }
  const issuer = acmeIssuer({ directoryUrl, ca, proxyEnv, accountKey, challenges: new Map() })
  return { ...proxy, target: new URL(directoryUrl).host, issue: () => issuer.issue(host, neverAborted, async () => {}) }
}

t.test('a certificate is ordered through the proxy, which learns the name of the authority only', async (t) => {
  const { issue, requests, target } = await issueThrough(t, 'tunnel', 'other.test', 'user:pass%20word@')
  t.strictSame(readCertificate(await issue()).hosts, [host])
  const credentials = `Basic ${Buffer.from('user:pass word').toString('base64')}`
  t.strictSame([...new Set(requests)], canProxy ? [`CONNECT ${target} ${credentials}`] : [])
})

t.test('an authority that is named in NO_PROXY is called directly', async (t) => {
  const { issue, requests } = await issueThrough(t, 'tunnel', '127.0.0.1')
  t.strictSame(readCertificate(await issue()).hosts, [host])
  t.strictSame(requests, [])
})

t.test('a proxy that rejects the tunnel makes the authority unavailable', async (t) => {
  const { issue, requests, abandoned } = await issueThrough(t, '407 Proxy Authentication Required')
  const outcome = await issue().then(
    () => 'issued',
    ({ problem }) => problem.code,
  )
  t.equal(outcome, canProxy ? 'ca_unavailable' : 'issued')
  t.equal(requests.length > 0, canProxy)
  await abandoned()
})

t.test('the webhook is called through the proxy, unless it is on loopback without TLS', async (t) => {
  const { authority, requests } = await connectProxy(t, '403 Forbidden')
  const proxyEnv = { HTTPS_PROXY: `http://${authority}`, HTTP_PROXY: `http://${authority}` }
  const event = { type: 'domain.live', timestamp: '2026-11-21T10:00:00.000Z', data: { domain: host, state: 'live' } }
  const reasonAt = async (url: string) =>
    (await sender({ url, secrets: [], proxyEnv })({ id: 'msg_1', event } as never, neverAborted)).reason
  t.match(await reasonAt('https://127.0.0.1:1/hook'), canProxy ? /HTTP\/1.1 403 Forbidden$/ : /ECONNREFUSED/)
  t.match(await reasonAt('http://127.0.0.1:1/hook'), /ECONNREFUSED/)
  t.strictSame(requests, canProxy ? ['CONNECT 127.0.0.1:1'] : [])
})
