import { createHash, type Hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { modelOf } from 'exact-openapi/model'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { parse } from 'yaml'
import { isJson, isMultipart } from '../../../packages/exact-openapi/src/media-types.ts'
import * as browser from '../../../packages/openapi-pages/browser/media-types.js'
import { refusedSamples, wrongExamples } from '../../../packages/openapi-pages/src/check.ts'
import { withSamples } from '../../../packages/openapi-pages/src/code-samples/index.ts'
import {
  brokenServer,
  exampleServer as placeholder,
  withExampleServer,
} from '../../../packages/openapi-pages/src/server.ts'
import { carriedBy } from '../../../packages/openapi-pages/test/fixtures/carried.ts'
import { crawl } from '../../../packages/openapi-pages/test/fixtures/site.ts'
import { exampleServer, loadDocument, withPublicServers } from '../../../spec/document.ts'
import { authorization, build, changed, errorOf, type Written } from '../../fixtures/app.ts'

const forms = [
  { url: '/openapi.json', type: 'application/json' },
  { url: '/openapi.yaml', type: 'application/yaml' },
]
const pages = ['/docs', '/docs/']

/** The path of a picture of the page. */
async function pictureOf(app: FastifyInstance) {
  const [, path = ''] = /src="\.(\/docs\/static\/[^"]*\.svg)"/.exec((await app.inject('/docs')).body) ?? []
  return path
}

t.test('the document is served in both formats, without a key and to every origin', async (t) => {
  const app = await build(t, { corsOrigins: ['https://docs.example.com'] })
  for (const { url, type } of forms) {
    const response = await app.inject({ url, headers: { origin: 'https://other.example' } })
    t.equal(response.statusCode, 200)
    t.equal(response.headers['content-type'], type)
    t.equal(response.headers['access-control-allow-origin'], '*')
    t.equal(response.headers['access-control-expose-headers'], 'etag, x-request-id')
    t.equal(response.headers['cache-control'], 'no-cache')
    t.strictSame(parse(response.body), atOrigin('http://localhost/v1'))
  }
})

/** The document as served: its samples have the address of the request. */
function atOrigin(baseUrl: string): Written {
  const document = withSamples(withExampleServer(loadDocument(), exampleServer))
  return JSON.parse(JSON.stringify(document).replaceAll(placeholder, baseUrl))
}

t.test('a client with the current document or page gets 304', async (t) => {
  const app = await build(t)
  for (const url of ['/openapi.json', '/openapi.yaml', '/docs.md', ...pages]) {
    const { headers } = await app.inject({ url })
    const etag = String(headers.etag)
    t.match(etag, /^W\/"[\w-]{22}"$/)
    for (const known of [etag, `"a", ${etag}`, etag.slice(2), '*']) {
      const response = await app.inject({ url, headers: { 'if-none-match': known } })
      t.equal(response.statusCode, 304, known)
      t.equal(response.body, '')
      t.equal(response.headers.etag, etag)
    }
    t.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200)
  }
})

t.test('responses are compressed as the client prefers, for GET and HEAD', async (t) => {
  const app = await build(t)
  const encodings = [
    { accept: 'gzip, deflate, br', encoding: 'br', decode: brotliDecompressSync },
    { accept: 'gzip', encoding: 'gzip', decode: gunzipSync },
    { accept: 'br;q=0.5, gzip', encoding: 'gzip', decode: gunzipSync },
    { accept: 'br;q=0', encoding: undefined, decode: (bytes: Buffer) => bytes },
  ]
  for (const url of ['/openapi.json', '/docs', await pictureOf(app)]) {
    const plain = await app.inject({ url })
    t.equal(plain.headers['content-encoding'], undefined)
    for (const { accept, encoding, decode } of encodings) {
      const headers = { 'accept-encoding': accept }
      const response = await app.inject({ url, headers })
      t.equal(response.headers['content-encoding'], encoding, accept)
      t.equal(response.headers.vary, url === '/docs' ? 'Accept, Accept-Encoding' : 'Accept-Encoding')
      t.equal(decode(response.rawPayload).toString(), plain.body)
      const head = await app.inject({ method: 'HEAD', url, headers })
      t.equal(head.headers['content-length'], String(response.rawPayload.length))
      t.equal(head.body, '')
    }
  }
})

t.test('a first visit, fonts included, weighs what the README of the package says', async (t) => {
  const app = await build(t)
  const { body } = await app.inject('/docs')
  const loaded = body.replace(/<meta .*>/g, '') // browsers load no picture of a preview
  const files = new Set(Array.from(loaded.matchAll(/docs\/static\/[\w.-]+\/[\w.-]+/g), ([path]) => `/${path}`))
  t.match([...files].join(' '), /geist\.woff2.*geist-mono\.woff2/, 'with both fonts')
  let weight = 0
  for (const url of ['/docs', ...files]) {
    const { statusCode, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
    t.equal(statusCode, 200, url)
    weight += rawPayload.length
  }
  const readme = await readFile('packages/openapi-pages/README.md', 'utf8')
  const [, said] = /(\d+) kB on a first visit/.exec(readme) ?? []
  t.ok(Math.abs(weight / 1000 - Number(said)) < 3, `${weight} bytes`) // more operations weigh more
})

t.test('of hosts that a client makes up, few copies are compressed, and known ones stay so', async (t) => {
  for (const url of ['/docs', '/docs.md', '/openapi.json', '/llms.txt']) {
    const app = await build(t)
    // Brotli takes ten times as long.
    const encodingAt = async (host: string, accepted = 'gzip') =>
      (await app.inject({ url, headers: { host, 'accept-encoding': accepted } })).headers['content-encoding']
    t.equal(await encodingAt('known.example'), 'gzip')
    const once = await inTurn(30, (count) => encodingAt(`once-${count}.example`))
    t.equal(once.filter(Boolean).length, 3, 'the first ones are')
    t.equal(await encodingAt('once-29.example'), 'gzip', 'others when they are requested again')
    t.equal(await encodingAt('only.example', 'gzip, identity;q=0'), 'gzip', 'or if nothing else is accepted')
    const twice = await inTurn(30, async (count) => {
      await encodingAt(`twice-${count}.example`)
      return encodingAt(`twice-${count}.example`)
    })
    t.ok(twice.filter(Boolean).length >= 14 && twice.includes(undefined), 'and not too many: 20 in a minute')
    t.equal(await encodingAt('known.example'), 'gzip')
  }
})

async function inTurn<T>(count: number, visit: (count: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let index = 0; index < count; index++) results.push(await visit(index))
  return results
}

t.test('of a copy for one more host, nothing is hashed but its addresses', async (t) => {
  const app = await build(t)
  const { prototype } = createHash('sha256').constructor as typeof Hash
  for (const url of ['/docs', '/docs/changelog', '/docs.md', '/llms-full.txt', '/openapi.json', '/openapi.yaml']) {
    const tags = await inTurn(3, async (count) => {
      const hashed = t.capture(prototype, 'update', prototype.update)
      const { headers, body } = await app.inject({ url, headers: { host: `host-${count}.example` } })
      hashed.restore()
      const bytes = hashed.args().reduce((sum, [data]) => sum + (data as string | Buffer).length, 0)
      if (count === 0) t.ok(bytes > body.length / 2, `${url}: the text`)
      else t.ok(bytes > 0 && bytes < 500, `${url}: ${bytes} bytes`)
      return headers.etag
    })
    t.equal(new Set(tags).size, 3)
  }
})

t.test('a client that excludes every encoding gets 406', async (t) => {
  const app = await build(t)
  for (const url of ['/docs', '/openapi.json']) {
    const response = await app.inject({ url, headers: { 'accept-encoding': 'identity;q=0' } })
    t.equal(response.statusCode, 406)
    const message = 'The response is available with the encodings br, gzip and identity only.'
    t.strictSame(response.json(), { code: 'not_acceptable', message, status: 406 })
  }
})

t.test('every link of the pages works, with and without a slash, and their files are cached for a year', async (t) => {
  const starts = ['/', '/docs', '/docs/', '/docs.md', '/docs/changelog', '/docs/changelog/']
  const pages = await crawl(await build(t), ...starts)
  const types: Record<string, string> = { svg: 'image/svg+xml', woff2: 'font/woff2' }
  const files = [...pages].filter(([path]) => path.includes('/docs/static/'))
  t.ok(files.length >= 3)
  for (const [path, { statusCode }] of pages) t.equal(statusCode, path === '/' ? 302 : 200, path)
  for (const [path, { headers }] of files) {
    t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    t.equal(headers['content-type'], types[String(path.split('.').pop())])
  }
})

t.test('the page has a title and a description, which are text whatever they contain', async (t) => {
  const document = changed(({ info }) => {
    info.title = '<b>&"\'</b>'
  })
  const page = await (await build(t, { document })).inject({ url: '/docs' })
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.equal(page.headers['cache-control'], 'no-cache')
  t.match(page.body, '<title>&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;: API reference</title>')
  t.match(page.body, `<meta name="description" content="${modelOf(loadDocument()).info.description.slice(0, 40)}`)
  t.notMatch(carriedBy(page.body).rest, /<script|<style|style=| on\w+=/)
})

t.test(
  'the policy of the page allows what it needs and no more: the API is its own origin or has an address',
  async (t) => {
    const servers = { production: 'https://api.example.com/v1', staging: 'http://127.0.0.1:8080/v1' }
    for (const [given, origins] of [
      [{}, ''],
      [servers, ' https://api.example.com http://127.0.0.1:8080'],
    ] as const) {
      const app = await build(t, { document: withPublicServers(loadDocument(), given) })
      for (const url of pages) {
        const response = await app.inject({ url })
        t.equal(response.statusCode, 200, url)
        const { scripts, styles } = carriedBy(response.body)
        t.equal(
          response.headers['content-security-policy'],
          `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'; script-src ${scripts} 'self'; ` +
            `style-src ${styles}; img-src 'self' blob:; font-src 'self'; connect-src 'self'${origins}`,
        )
      }
    }
  },
)

t.test('the prefix of a trusted proxy is added to relative addresses', async (t) => {
  const servers = { staging: 'https://staging.example.com/v1' }
  const options = { document: withPublicServers(loadDocument(), servers), trustProxy: ['127.0.0.0/8'] }
  const app = await build(t, options)
  const through = async (prefix: string) => {
    const headers = { 'x-forwarded-prefix': prefix, 'x-forwarded-for': '192.0.2.1' }
    const root = await app.inject({ url: '/', headers })
    const document = (await app.inject({ url: '/openapi.json', headers })).json<Written>()
    t.strictSame(parse((await app.inject({ url: '/openapi.yaml', headers })).body), document)
    return [root.headers.location, ...(document.servers ?? []).map(({ url }) => url)]
  }
  const plain = ['/docs', '/v1', 'https://staging.example.com/v1']
  t.strictSame(await through('/shop'), ['/shop/docs', '/shop/v1', 'https://staging.example.com/v1'])
  t.strictSame(await through('/a/b-1.x/'), ['/a/b-1.x/docs', '/a/b-1.x/v1', 'https://staging.example.com/v1'])
  for (const unsafe of ['//evil.example', '/\\evil', 'shop', '/a"b', '/', '', '/a, /b'])
    t.strictSame(await through(unsafe), plain, unsafe)
})

t.test('a prefix from anyone else is ignored, whoever its proxy says has sent it', async (t) => {
  for (const trustProxy of [[], ['10.0.0.1']]) {
    const app = await build(t, { trustProxy })
    const headers = { 'x-forwarded-prefix': '/shop', 'x-forwarded-for': '10.0.0.1' }
    t.equal((await app.inject({ url: '/', headers })).headers.location, '/docs')
    t.strictSame((await app.inject({ url: '/openapi.json', headers })).json(), atOrigin('http://localhost/v1'))
  }
})

t.test('an unknown path below the documentation is an Error', async (t) => {
  const app = await build(t)
  const asset = await pictureOf(app)
  const unknown = [`${asset}/x`, asset.replace('logo', 'nope'), asset.replace('logo.svg', 'start.js')]
  const below = ['nope', 'operations/nope.js', 'static/nope.js', 'static/%2e%2e/package.json']
  for (const url of [...below.map((path) => `/docs/${path}`), ...unknown]) {
    const response = await app.inject({ url, headers: { authorization } })
    t.equal(response.statusCode, 404, url)
    t.equal(response.headers['cache-control'], 'no-store')
    t.strictSame(response.json(), errorOf('not_found', 'Nothing is served at this path.'))
  }
})

t.test('a page of another version gets the images and fonts of this one', async (t) => {
  const app = await build(t)
  const asset = await pictureOf(app)
  const other = await app.inject({ url: asset.replace(/static\/[^/]+/, 'static/other') })
  t.equal(other.statusCode, 200)
  t.equal(other.headers['cache-control'], 'no-cache')
  t.equal(other.body, (await app.inject({ url: asset })).body)
})

const formats = ['/docs', '/docs.md', '/llms-full.txt', '/openapi.json', '/openapi.yaml', '/docs/swagger/json']

t.test('samples have the address of the request, of the proxy, or the configured one', async (t) => {
  const app = await build(t, { trustProxy: ['127.0.0.1'] })
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'example.com', 'x-forwarded-prefix': '/shop' }
  const document = withPublicServers(loadDocument(), { production: "https://api.example/a&b'c/v1" })
  const configured = await build(t, { document })
  for (const url of formats) {
    const at = async (headers: Record<string, string>, one = app) => (await one.inject({ url, headers })).body
    for (const [body, baseUrl] of [
      [await at({ host: 'localhost:4321' }), 'http://localhost:4321/v1'],
      [await at(proxied), 'https://example.com/shop/v1'],
      [await at({ host: "a'b.example" }), 'https://YOUR_API_HOST/v1'],
      [await at({ host: 'localhost:4321' }, configured), "https://api.example/a&b'c/v1"],
    ] as const) {
      const text = body.replaceAll('<wbr>', '').replaceAll('&amp;', '&').replaceAll('&#39;', "'")
      t.ok(text.includes(baseUrl), `${url}: ${baseUrl}`)
      for (const server of [placeholder, brokenServer, exampleServer]) t.notOk(body.includes(server), url)
    }
  }
})

t.test('Swagger UI has a page of its own, which finds its files below every prefix', async (t) => {
  const app = await build(t, { trustProxy: ['127.0.0.1'] })
  const headers = { 'x-forwarded-prefix': '/shop' }
  const { statusCode, headers: sent } = await app.inject({ url: '/docs/swagger', headers })
  t.strictSame([statusCode, sent.location], [302, '/shop/docs/swagger/'])
  const page = await app.inject({ url: '/docs/swagger/', headers })
  t.match(page.headers['content-security-policy'], /^default-src 'none'; .*script-src 'self'; .*img-src 'self' data:/)
  for (const [, link] of page.body.matchAll(/(?:href|src)="([^"]*)"/g)) {
    t.match(link, /^\.\/static\//)
    t.equal((await app.inject({ url: `/docs/swagger/${link}` })).statusCode, 200, String(link))
  }
  const json = await app.inject({ url: '/docs/swagger/json', headers })
  t.equal(json.headers['cache-control'], 'no-cache')
  t.equal(json.json().servers[0].url, '/shop/v1')
})

t.test('the samples in each further language have a page, as HTML and as Markdown', async (t) => {
  const app = await build(t)
  for (const language of ['php', 'ruby', 'java', 'csharp']) {
    const html = await app.inject({ url: `/docs/samples/${language}` })
    if (language === 'csharp') t.match(html.body, '<title>Store Orders: samples in C#</title>')
    t.equal(html.statusCode, 200)
    for (const id of ['listOrders', 'cancelOrder', 'getPetById']) t.match(html.body, `id="${id}">`)
    const markdown = await app.inject({ url: `/docs/samples/${language}.md` })
    t.match(markdown.body, `## Cancel an order\n\n\`\`\`${language}\n`)
    t.match(markdown.body, 'http://localhost/v1/store/orders/1007')
  }
})

t.test('an operation with samples of its own is in no further language', async (t) => {
  const document = changed(({ paths }) => {
    const { get } = paths['/pets/{petId}'] ?? {}
    if (get) get['x-codeSamples'] = [{ lang: 'Go', label: 'Go', source: 'own' }]
  })
  const app = await build(t, { document })
  const page = await app.inject({ url: '/docs' })
  t.match(page.body, 'aria-label="More languages for Cancel an order"')
  t.notMatch(page.body, 'aria-label="More languages for Look up a pet"')
})

t.test('every example fits its schema, and a server accepts every sample', async (t) => {
  t.strictSame(wrongExamples(loadDocument()), [])
  t.strictSame(await refusedSamples(loadDocument()), [])
})

t.test('the form judges media types as the contract does', async (t) => {
  const json = ['application/json', 'Text/JSON; charset=utf-8', 'application/problem+json', 'application/*+json']
  for (const type of [...json, 'application/json-seq', 'application/jsonl', 'image/svg+xml', 'a/json', ''])
    t.equal(browser.isJson(type), isJson(type), type)
  for (const type of ['multipart/form-data; boundary=a', 'Multipart/Form-Data', 'multipart/form-data-x'])
    t.equal(browser.isMultipart(type), isMultipart(type), type)
})
