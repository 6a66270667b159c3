import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import t, { type Test } from 'tap'
import { makeCertificate } from 'test-kit/certificate'
import { listen } from 'test-kit/ports'
import type { DomainsConfig } from '../../config/domains.ts'
import { loadConfig } from '../../config/environment.ts'
import { openDomains } from '../../domains/index.ts'
import { isDocsDeployed } from '../../domains/is-docs-deployed.ts'
import { domainsEnv } from './environment.js'

const domain = 'orders.platform.test'

/** Whether the documentation counts as deployed, at ports that respond like this. */
async function isDeployed(t: Test, onHttp: RequestListener, onHttps: RequestListener = () => {}) {
  const pem = await makeCertificate(domain)
  const http = await listen(t, createServer(onHttp))
  const https = await listen(t, createSecureServer({ key: pem, cert: pem }, onHttps))
  return isDocsDeployed({ host: '127.0.0.1', ports: { http, https } }, domain)
}

const responding =
  (status: number, location?: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, location === undefined ? {} : { location }).end()
const redirecting = responding(308, `https://${domain}/docs`)

t.test('the documentation counts as deployed if it responds with 200 at the platform domain', async (t) => {
  const asked: unknown[] = []
  const recording: RequestListener = ({ headers, url }, response) => {
    asked.push([headers.host, url])
    response.end()
  }
  const limits = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  t.equal(await isDeployed(t, recording), true)
  t.match(limits(), [{ args: [5_000] }])
  t.equal(await isDeployed(t, redirecting, recording), true, 'over TLS, with a certificate that nobody trusts')
  t.strictSame(asked, Array(2).fill([domain, '/docs']))
})

t.test('otherwise it does not', async (t) => {
  const closing: RequestListener = ({ socket }) => void socket.destroy()
  t.equal(await isDeployed(t, responding(503)), false)
  t.equal(await isDeployed(t, closing), false)
  t.equal(await isDeployed(t, responding(308, 'https://elsewhere.test/docs')), false)
  t.equal(await isDeployed(t, redirecting, responding(503)), false)
  t.equal(await isDeployed(t, redirecting, closing), false)
})

t.test('a domain can be added only once the documentation is served', async (t) => {
  const { domains: config } = loadConfig({ ...domainsEnv, DATA_DIR: t.testdir() })
  const publishing = await openDomains(config as DomainsConfig, undefined, () => {})
  t.equal(await publishing?.service.isDeployed(), false, 'nothing listens yet')
  await publishing?.domains.close()
})
