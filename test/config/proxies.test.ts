import t from 'tap'
import { proxyEnvOf, proxyWarnings } from '../../config/proxies.ts'

const loopback = 'localhost,127.0.0.1-127.255.255.255,::1,[::1]'
const proxy = 'http://user:pass%20word@proxy.test:3128'

t.test('small letters come first, and loopback is never behind a proxy', async (t) => {
  t.strictSame(proxyEnvOf({ HTTPS_PROXY: 'http://other.test', https_proxy: proxy }, true), {
    HTTPS_PROXY: proxy,
    NO_PROXY: loopback,
  })
  t.strictSame(proxyEnvOf({ HTTP_PROXY: proxy, no_proxy: '.corp.test' }, true), {
    HTTP_PROXY: proxy,
    NO_PROXY: `.corp.test,${loopback}`,
  })
  t.equal(proxyEnvOf({ NO_PROXY: '*' }, true), undefined)
  t.strictSame(proxyWarnings({ HTTPS_PROXY: proxy, http_proxy: 'https://proxy.test' }, true), [])
})

t.test('what cannot be used is ignored with a warning, which shows no password', async (t) => {
  const unusable = 'has no effect: it must be the address of a proxy, http://host:port or https://host:port'
  const injected = ['http://u:%zz@proxy.test', 'http://proxy.test\nhost: other.test', 'http://u:%0d%0a@proxy.test']
  for (const HTTPS_PROXY of ['proxy.test:3128', 'socks5://proxy.test', 'http://', ...injected]) {
    t.strictSame(proxyWarnings({ HTTPS_PROXY }, true), [`HTTPS_PROXY ${unusable}`], HTTPS_PROXY)
    t.equal(proxyEnvOf({ HTTPS_PROXY }, true), undefined, HTTPS_PROXY)
  }
  const instead = 'ALL_PROXY has no effect: set HTTPS_PROXY instead'
  t.strictSame(proxyWarnings({ all_proxy: 'http://proxy.test' }, true), [instead])
})

t.test('a version of Node.js without proxies ignores them with a warning', async (t) => {
  const reason = `requests go through proxies from Node.js 22.21 and 24.5 on, and this is ${process.version}`
  t.strictSame(proxyWarnings({ HTTPS_PROXY: proxy }, false), [`HTTPS_PROXY has no effect: ${reason}`])
  t.equal(proxyEnvOf({ HTTPS_PROXY: proxy }, false), undefined)
})
