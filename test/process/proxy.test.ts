import t from 'tap'
import { canProxy, connectProxy } from 'test-kit/connect-proxy'
import { startDnsServer } from '../../packages/custom-domains/test/fixtures/dns-server.ts'
import { domainsEnv } from '../domains/environment.js'
import { headers, startWithDomains } from '../fixtures/process.ts'

t.test('outgoing requests take the proxies of the environment, or a warning says why not', async (t) => {
  const proxy = await connectProxy(t, '502 Bad Gateway')
  const { address } = await startDnsServer(t, {
    [domainsEnv.PLATFORM_CNAME_TARGET]: { A: ['127.0.0.1'] },
    [domainsEnv.PLATFORM_DOMAIN]: { A: ['127.0.0.1'] },
  })
  const server = startWithDomains(t, {
    DATA_DIR: t.testdir(),
    DNS_SERVERS: address,
    ACME_DIRECTORY_URL: 'https://ca.test/directory',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318',
    OTEL_BSP_SCHEDULE_DELAY: '10',
    HTTPS_PROXY: `http://${proxy.authority}`,
    http_proxy: `http://${proxy.authority}`,
  })
  await server.ports
  await fetch(`${await server.origin}/v1/store/orders`, { headers })
  if (canProxy) {
    await proxy.arrived('CONNECT ca.test:443')
    await proxy.arrived('POST http://collector.test:4318/v1/traces')
    t.notMatch(server.stdout(), 'has no effect')
  } else {
    await server.printed(/HTTPS_PROXY has no effect/)
    await server.printed(/HTTP_PROXY has no effect/)
    t.strictSame(proxy.requests, [])
  }
})
