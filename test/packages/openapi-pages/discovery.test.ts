// What crawlers and agents find, at the API's port and at a custom domain.
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { listen } from 'test-kit/ports'
import { carriedBy } from '../../../packages/openapi-pages/test/fixtures/carried.ts'
import { exampleServer, loadChangelog, loadDocument, withPublicServers } from '../../../spec/document.ts'
import { buildDashboard, shop } from '../../domains/dashboard.ts'
import { build } from '../../fixtures/app.ts'

const site = 'https://docs.example.com'

/** The app behind the ports of the domains, which name the canonical copy of each path. */
async function atDomain(t: Test, isApiAtDomains: boolean) {
  const { domainsApp: app } = await buildDashboard(t, shop, { isApiAtDomains })
  const server = createServer((request, response) => {
    response.setHeader('link', `<${site}${request.url}>; rel="canonical"`)
    app.routing(request, response)
  })
  const port = await listen(t, server)
  return async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close', ...headers } })
    return { link: response.headers.get('link'), body: await response.text() }
  }
}

t.test('the reference is served as Markdown, under two names', async (t) => {
  const app = await build(t)
  const [page, full] = await Promise.all(['/docs.md', '/llms-full.txt'].map((url) => app.inject({ url })))
  t.equal(page?.headers['content-type'], 'text/markdown; charset=utf-8')
  t.equal(page?.headers['cache-control'], 'no-cache')
  t.match(page?.body, /^# Store Orders 1\.0\.0\n/)
  t.equal(full?.body, page?.body)
})

t.test('/docs is Markdown for a client that prefers it', async (t) => {
  const app = await build(t)
  const markdown = (await app.inject({ url: '/docs.md' })).body
  const cases = {
    'text/markdown': true,
    'text/markdown, text/html;q=0.9': true,
    'text/html;q=0.5, text/*;q=0.8': true,
    'text/html, text/markdown': false,
    '*/*': false,
    'image/png': false,
    [`text/markdown, ${'a/b, '.repeat(300)}c/d`]: false,
  }
  for (const url of ['/docs', '/docs/']) {
    for (const [accept, isMarkdown] of Object.entries(cases)) {
      const { headers, body } = await app.inject({ url, headers: { accept } })
      t.equal(headers['content-type'], isMarkdown ? 'text/markdown; charset=utf-8' : 'text/html; charset=utf-8', accept)
      t.equal(headers.vary, 'Accept, Accept-Encoding')
      t.equal(body === markdown, isMarkdown)
    }
  }
})

t.test('the page and its Markdown name the document, the catalog and each other', async (t) => {
  const app = await build(t)
  for (const [url, root] of [
    ['/docs', './'],
    ['/docs/', '../'],
    ['/docs.md', './'],
    ['/llms-full.txt', './'],
  ] as const) {
    const { headers } = await app.inject({ url })
    const link = [
      `<${root}openapi.json>; rel="service-desc"; type="application/json"`,
      `<${root}openapi.yaml>; rel="service-desc"; type="application/yaml"`,
      `<${root}docs.md>; rel="alternate"; type="text/markdown"`,
      `<${root}llms.txt>; rel="alternate"; type="text/plain"`,
      `<${root}.well-known/api-catalog>; rel="api-catalog"`,
    ].join(', ')
    t.equal(headers.link, link)
  }
  const { body } = await app.inject({ url: '/docs' })
  for (const line of [
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="alternate" type="text/markdown" href="./docs.md">',
    '<link rel="alternate" type="text/plain" title="For language models" href="./llms.txt">',
    '<link rel="service-desc" type="application/json" href="./openapi.json">',
    '<meta property="og:type" content="website">',
    '<meta property="og:site_name" content="Store Orders">',
    '<meta property="og:title" content="Store Orders: API reference">',
    '<meta property="og:description" content="List the orders',
    '<meta name="twitter:card" content="summary_large_image">',
  ])
    t.ok(body.includes(line), line)
})

t.test('crawlers and agents find the documentation at the requested host', async (t) => {
  const app = await build(t, { trustProxy: ['127.0.0.1'] })
  const ask = async (url: string, headers = {}) =>
    (await app.inject({ url, headers: { host: 'api.example.com:8080', ...headers } })).body
  const host = 'http://api.example.com:8080'
  t.equal(await ask('/robots.txt'), `User-agent: *\nDisallow: /v1/\n\nSitemap: ${host}/sitemap.xml\n`)
  t.match(await ask('/sitemap.xml'), `<loc>${host}/docs</loc>`)
  t.match(await ask('/llms.txt'), `(${host}/docs.md)`)
  const link = (path: string, type: string) => ({ href: `${host}${path}`, type })
  const described = {
    anchor: `${host}/v1`,
    'service-desc': [link('/openapi.json', 'application/json'), link('/openapi.yaml', 'application/yaml')],
    'service-doc': [link('/docs', 'text/html'), link('/docs.md', 'text/markdown')],
  }
  t.strictSame(JSON.parse(await ask('/.well-known/api-catalog')), { linkset: [described] })
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com', 'x-forwarded-prefix': '/shop' }
  t.match(await ask('/sitemap.xml', proxied), '<loc>https://example.com/shop/docs</loc>')
  t.match(await ask('/sitemap.xml', { host: "a'b&c.example" }), '<loc>/docs</loc>')
  t.match(await ask('/sitemap.xml', { host: 'a%zz:1' }), 'invalid_request')
  t.match(await ask('/sitemap.xml', { host: '1.2.3.999' }), '<loc>/docs</loc>')
  const document = withPublicServers(loadDocument(), { production: 'https://api.example/v1' })
  const configured = await build(t, { document })
  for (const host of ['one.example', 'other.example'])
    for (const url of ['/robots.txt', '/llms.txt', '/.well-known/api-catalog'])
      t.match((await configured.inject({ url, headers: { host } })).body, `http://${host}/`)
})

t.test('each resource has its media type, and the catalog links to itself', async (t) => {
  const app = await build(t)
  const types = {
    '/robots.txt': 'text/plain; charset=utf-8',
    '/sitemap.xml': 'application/xml',
    '/llms.txt': 'text/plain; charset=utf-8',
    '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  }
  for (const [url, type] of Object.entries(types)) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await app.inject({ method, url })
      t.strictSame([statusCode, headers['content-type'], headers['cache-control']], [200, type, 'no-cache'], url)
      t.equal(headers.link, url.endsWith('catalog') ? '<api-catalog>; rel="api-catalog"' : undefined)
    }
  }
})

t.test('at a custom domain, every link has its address', async (t) => {
  const visit = await atDomain(t, true)
  for (const path of ['/docs', '/docs/', '/docs.md']) {
    const { link } = await visit(path)
    t.match(link, /^<https:\/\/docs\.example\.com\/docs>; rel="canonical", <(\.\/|\.\.\/)openapi\.json>;/, path)
  }
  const { body } = await visit('/docs')
  t.match(body, '<link rel="canonical" href="https://docs.example.com/docs">')
  t.match(body, '<meta property="og:url" content="https://docs.example.com/docs">')
  const [, image = ''] = /<meta property="og:image" content="https:\/\/docs\.example\.com([^"]*)">/.exec(body) ?? []
  t.match((await visit(image)).body, 'PNG')
  t.match(body, '<span class="server-url">https://<wbr>docs.example.com<wbr>/v1</span><wbr>/store<wbr>/orders')
  for (const path of ['/docs', '/docs.md']) t.equal((await visit(path)).body.includes(exampleServer), false)
  t.match((await visit('/docs/changelog')).link, /^<https:\/\/docs\.example\.com\/docs\/changelog>; rel="canonical", /)
  t.match((await visit('/robots.txt')).body, '\nSitemap: https://docs.example.com/sitemap.xml\n')
  t.match((await visit('/sitemap.xml')).body, '<loc>https://docs.example.com/docs/changelog</loc>')
  t.match((await visit('/llms.txt')).body, '(https://docs.example.com/docs.md)')
  t.match((await visit('/.well-known/api-catalog')).body, '"anchor":"https://docs.example.com/v1"')
})

t.test('if the API is not served at the domains, nothing links to it there', async (t) => {
  const visit = await atDomain(t, false)
  for (const path of ['/docs', '/docs.md']) {
    const { body } = await visit(path)
    t.notMatch(body, 'docs.example.com/v1')
    t.ok(body.replaceAll('<wbr>', '').includes('https://YOUR_API_HOST/v1'))
  }
  t.match(JSON.parse((await visit('/openapi.json')).body).servers[0].url, 'https://YOUR_API_HOST/v1')
  t.match((await visit('/.well-known/api-catalog')).body, '"anchor":"https://docs.example.com/"')
})

t.test('the changelog is a page, and Markdown', async (t) => {
  const app = await build(t)
  const page = await app.inject({ url: '/docs/changelog' })
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  const { scripts, rest } = carriedBy(page.body)
  t.ok(page.headers['content-security-policy']?.includes(`script-src ${scripts} `), 'and one that it does not carry')
  t.match(page.body, '<title>Store Orders: changelog</title>')
  t.match(page.body, 'content="What changed between the versions of the Store Orders API."')
  t.match(page.body, '<section class="guide-section" id="1-0-0"')
  t.match(page.body, '<link rel="alternate" type="text/markdown" href="../docs/changelog.md">')
  t.notMatch(page.body, '<script type="module"')
  t.notMatch(rest, /<script|<style|style=/)
  t.match((await app.inject({ url: '/docs/changelog/' })).body, '<a href="../../docs">API reference</a>')
  const markdown = await app.inject({ url: '/docs/changelog.md' })
  t.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
  t.match(markdown.headers.link, '<../openapi.json>; rel="service-desc"')
  t.equal(markdown.body, loadChangelog())
  const preferred = await app.inject({ url: '/docs/changelog', headers: { accept: 'text/markdown' } })
  t.equal(preferred.body, markdown.body)
  t.match((await app.inject({ url: '/docs' })).body, '<a href="./docs/changelog">Changelog</a>')
})

t.test('elsewhere, the canonical link and the picture to share have the address of the request', async (t) => {
  const app = await build(t)
  const visit = (host: string) => app.inject({ url: '/docs/changelog', headers: { host } })
  const { body, headers } = await visit('api.example.com')
  t.match(body, '<link rel="canonical" href="http://api.example.com/docs/changelog">')
  t.match(body, '<meta property="og:image" content="http://api.example.com/docs/static/')
  t.notMatch(headers.link, 'canonical')
  t.notMatch((await visit('1.2.3.999')).body, /canonical|og:url/)
})
