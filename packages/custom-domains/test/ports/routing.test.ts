import t from 'tap'
import { converse, parseAnswer } from 'test-kit/raw'
import { decide } from '../../src/ports/routing.ts'
import { get, openPorts, platformHost, routingOf } from '../fixtures/ports.ts'

const challengePath = '/.well-known/acme-challenge/'
const challenge = `${challengePath}the-token`

const notLive = ['added', 'verifying', 'verified', 'issuing', 'failed'] as const
const live = ['docs', 'also', 'a', 'b', 'c', 'd'].map((label) => [`${label}.shop.test`, 'live'] as const)
const statuses = { 'a.shop.test': 301, 'b.shop.test': 302, 'c.shop.test': 307, 'd.shop.test': 308 } as const
const described = {
  states: Object.fromEntries([...live, ...notLive.map((state) => [`${state}.shop.test`, state] as const)]),
  canonicalHost: 'docs.shop.test',
  redirects: { ...statuses, 'failed.shop.test': 301 },
  challenges: { 'the-token': 'the-token.thumbprint' },
} as const
const table = routingOf(described)

const doNotServe = '421 Nothing is served at this domain.\n'
const oneHost = '400 The request must name exactly one host.\n'
const noPath = '404 Nothing is served at this path.\n'

/** The status with the address of a redirect, or with the body. */
function shown(text: string): string {
  const { status, headers, body } = parseAnswer(text)
  return `${status} ${headers.location ?? body}`
}

const hostOf = (name: string) => `Host: ${name}`
const docs = hostOf('docs.shop.test')
const redirected = (host: string): [string, string] => [get('/', hostOf(host)), '308 https://docs.shop.test/']
const unserved = (host: string): [string, string] => [get('/', hostOf(host)), doNotServe]

t.test('without TLS', async (t) => {
  const { dial } = await openPorts(t, () => table)
  const cases: Record<string, [request: string, response: string][]> = {
    'a challenge is served for every host, repeatedly, and never redirected': [
      ...[...Object.keys(described.states), 'unknown.test', platformHost, 'docs.shop.test'].map(
        (host): [string, string] => [get(challenge, hostOf(host)), '200 the-token.thumbprint'],
      ),
      [get(challenge, docs, docs), '200 the-token.thumbprint'],
      [get(challenge), '200 the-token.thumbprint'],
      [get(`http://added.shop.test${challenge}`, docs), '200 the-token.thumbprint'],
    ],
    'an unknown token gets 404': [
      [get(`${challenge}s`, docs), noPath],
      [get(`${challenge}?`, docs), noPath],
      [get(challengePath, docs), noPath],
      [get(`${challengePath}toString`, docs), noPath],
    ],
    'other well-known paths are like all paths': [
      [get('/.well-known/security.txt', docs), '308 https://docs.shop.test/.well-known/security.txt'],
      [get('/.well-known/acme-challenge', docs), '308 https://docs.shop.test/.well-known/acme-challenge'],
    ],
    'a request without exactly one host gets 400': [
      [get('/', docs, docs), oneHost],
      [get('/', docs, 'hOST: unknown.test'), oneHost],
      [get('/'), oneHost],
      ...['', 'docs.shop.test, a.test', 'docs shop.test', '[::1]', 'a@docs.shop.test', 'docs.shop.test:http', '-']
        .map(hostOf)
        .map((host): [string, string] => [get('/', host), oneHost]),
      [get('http:///', docs), oneHost],
      ['GET / HTTP/1.0\r\n\r\n', oneHost],
    ],
    'a host matches in upper case, with a trailing dot, and with a port': [
      ...['Docs.SHOP.test', 'docs.shop.test.', 'docs.shop.test:8080', 'DOCS.shop.test.:80'].map(redirected),
      ['GET / HTTP/1.0\r\nHost: docs.shop.test\r\n\r\n', '308 https://docs.shop.test/'],
    ],
    'the platform host is served': [
      [get('/docs', hostOf(platformHost)), '200 /docs '],
      [get('/docs', hostOf(`${platformHost.toUpperCase()}.:80`)), '200 /docs '],
      [get(`http://${platformHost}/docs`, docs), `200 http://${platformHost}/docs `],
    ],
    'a host that is not live gets 421': [
      ...['shop.test', 'www.docs.shop.test'].concat(notLive.map((state) => `${state}.shop.test`)).map(unserved),
    ],
    'X-Forwarded-Host is ignored': [
      [get('/', hostOf('unknown.test'), 'X-Forwarded-Host: docs.shop.test'), doNotServe],
      [get('/', docs, 'X-Forwarded-Host: unknown.test', 'Forwarded: host=unknown.test'), '308 https://docs.shop.test/'],
    ],
    'an absolute target takes precedence over Host': [
      [get('http://docs.shop.test/a', hostOf('unknown.test')), '308 https://docs.shop.test/a'],
      [get('HTTPS://DOCS.shop.test:1?a=b', hostOf('unknown.test')), '308 https://docs.shop.test/?a=b'],
      [get('http://unknown.test/a', docs), doNotServe],
      [get('https://user@docs.shop.test/', docs), oneHost],
    ],
    'a redirect leads to its target in one hop, with its own status': Object.entries(statuses).map(([host, status]) => [
      get('/', hostOf(host)),
      `${status} https://docs.shop.test/`,
    ]),
    'path and query are kept unchanged': [
      ...['/a/b', '/a%2Fb%20c%', '/?', '/a?', '/a?b=c&d=%26', '/a?b?c', '/a?//evil.test', '/a/../b', '/a//b/', '/*']
        .concat("/!$&'()+,;=:@-._~", '/a\\b', '/?https://evil.test/', '/a;b"<>{}|^`')
        .map((target): [string, string] => [get(target, hostOf('a.shop.test')), `301 https://docs.shop.test${target}`]),
      [get('*', hostOf('a.shop.test')), '301 https://docs.shop.test/*'],
    ],
    'no target redirects elsewhere': [
      [get('//evil.test', docs), '308 https://docs.shop.test/evil.test'],
      [get('/\\/\\//evil.test//a', docs), '308 https://docs.shop.test/evil.test//a'],
      [get('http://docs.shop.test//evil.test', docs), '308 https://docs.shop.test/evil.test'],
      [get('http://docs.shop.test.evil.test/', docs), doNotServe],
      [get('http://docs.shop.test@evil.test/', docs), oneHost],
      [get('http://docs.shop.test\\@evil.test/', docs), '400 '], // Node's own
      [get('ftp://evil.test/', docs), '308 https://docs.shop.test/ftp://evil.test/'],
    ],
  }
  for (const [what, requests] of Object.entries(cases)) {
    t.test(what, async (t) => {
      for (const [request, response] of requests) t.equal(shown(await converse(dial(), request)), response, request)
    })
  }
})

t.test('with TLS', async (t) => {
  const { dialSecurely } = await openPorts(t, () => table)
  const cases: Record<string, [servername: string, request: string, response: string][]> = {
    'a live domain is served with the request unchanged': [
      ['docs.shop.test', get('/a%2Fb?c', docs), '200 /a%2Fb?c '],
      ['DOCS.shop.test', get('/', docs), '200 / '],
      ['also.shop.test', get('//evil.test', hostOf('Also.Shop.test.:443')), '200 //evil.test '],
      ['docs.shop.test', get('https://docs.shop.test/a', hostOf('b.test')), '200 https://docs.shop.test/a '],
    ],
    'a challenge is served with TLS too; other tokens are left to the application': [
      ['docs.shop.test', get(challenge, docs), '200 the-token.thumbprint'],
      ['docs.shop.test', get(`${challenge}s`, docs), `200 ${challenge}s `],
    ],
    'a redirect leads to its target': [
      ['a.shop.test', get('/a?b', hostOf('a.shop.test')), '301 https://docs.shop.test/a?b'],
    ],
    'a host other than that of the handshake gets 421': [
      ['docs.shop.test', get('/', hostOf('also.shop.test')), doNotServe],
      ['docs.shop.test', get('/', hostOf(platformHost)), doNotServe],
      ['docs.shop.test', get('/', hostOf('unknown.test')), doNotServe],
      ['docs.shop.test', get('https://also.shop.test/', docs), doNotServe],
    ],
  }
  for (const [what, requests] of Object.entries(cases)) {
    t.test(what, async (t) => {
      for (const [servername, request, response] of requests)
        t.equal(shown(await converse(dialSecurely(servername), request)), response, request)
    })
  }
})

t.test('a redirect applies only while its target is live', async (t) => {
  const request = get('/a', hostOf('a.shop.test'))
  const states = { 'a.shop.test': 'live', 'docs.shop.test': 'failed' } as const
  const redirects = { 'a.shop.test': 302 } as const
  for (const canonicalHost of ['docs.shop.test', 'unknown.test', undefined]) {
    const routing = routingOf({ states, redirects, ...(canonicalHost && { canonicalHost }) })
    const { dial, dialSecurely } = await openPorts(t, () => routing)
    t.equal(shown(await converse(dial(), request)), '308 https://a.shop.test/a', String(canonicalHost))
    t.equal(shown(await converse(dialSecurely('a.shop.test'), request)), '200 /a ', String(canonicalHost))
  }
})

t.test('the platform host is served only over TLS once it has a certificate', async (t) => {
  const routing = routingOf({ states: { [platformHost]: 'live' } })
  const { dial, dialSecurely } = await openPorts(t, () => routing)
  const request = get('/v1/store/orders?a', hostOf(platformHost))
  t.equal(shown(await converse(dial(), request)), `308 https://${platformHost}/v1/store/orders?a`)
  t.equal(shown(await converse(dialSecurely(platformHost), request)), '200 /v1/store/orders?a ')
})

t.test('the platform host is served over TLS, too', async (t) => {
  const target = { hosts: [platformHost], url: '/', isSecure: true, serverName: platformHost }
  t.strictSame(decide(target, table), { kind: 'serve', canonical: 'https://docs.shop.test/' })
})

t.test('the platform host links to the same page at its canonical host, while that is live', async (t) => {
  const link = 'link: <https://docs.shop.test/a%3Cb%3E>; rel="canonical"'
  for (const state of ['live', 'failed'] as const) {
    const routing = routingOf({ states: { 'docs.shop.test': state }, canonicalHost: 'docs.shop.test' })
    const { dial } = await openPorts(t, () => routing)
    const response = await converse(dial(), get('/a<b>?c=<d>', `Host: ${platformHost}`))
    t.equal(/^link: .*$/im.exec(response)?.[0], state === 'live' ? link : undefined)
  }
})

t.test('a custom domain is the canonical address of its own pages', async (t) => {
  const { dialSecurely } = await openPorts(t, () => table)
  for (const host of ['docs.shop.test', 'also.shop.test']) {
    const response = await converse(dialSecurely(host), get('/a?b=c', hostOf(host)))
    t.equal(/^link: .*$/im.exec(response)?.[0], `link: <https://${host}/a>; rel="canonical"`)
  }
})

t.test('while another instance may have changed the domains, only the platform is served', async (t) => {
  const outdated = routingOf({ ...described, isCurrent: false })
  const { dial } = await openPorts(t, () => outdated)
  const ask = async (host: string, path = '/docs') => shown(await converse(await dial(), get(path, hostOf(host))))
  t.equal(await ask('docs.shop.test'), '503 This domain cannot be served at the moment. Try again later.\n')
  t.match(await ask('a.shop.test'), /^503/)
  t.match(await ask('none.shop.test'), /^503/, 'it may have been added meanwhile')
  t.match(await ask(platformHost), /^200/)
  t.match(await ask('docs.shop.test', challenge), /^200/)
})
