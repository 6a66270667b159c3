// What a site chooses, on bare Fastify.
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { type Document, parseDocument } from 'exact-openapi'
import t, { type Test } from 'tap'
import type { PagesOptions } from '../src/index.ts'
import { carriedBy } from './fixtures/carried.ts'
import { crawl, parsed, site as siteOf } from './fixtures/site.ts'
import { largeDocument } from './large-document.ts'

const pets = parseDocument(
  `
openapi: 3.0.3
info: { title: Pets, version: '1', description: "# Pets\\n\\n![A pet](https://img.example/pet.png)" }
servers: [{ url: 'https://{region}.pets.example/v1/', variables: { region: { default: eu, enum: [us, eu] } } }]
paths:
  /pets: { get: { operationId: listPets, responses: { '200': { description: All. } } } }
`,
  'pets',
)

async function site(t: Test, options: Partial<PagesOptions> = {}) {
  const app = await siteOf(t, pets, options)
  return (url: string, accept = '*/*', host = 'localhost') => app.inject({ url, headers: { accept, host } })
}

const changelog = () => '## 1\n\nFirst.'

t.test('a text is rendered once for any number of hosts', async (t) => {
  for (const accept of ['text/html', 'text/markdown']) {
    let count = 0
    const get = await site(t, { changelog: () => `## 1\n\nRendered ${++count} times, http://origin.invalid.` })
    for (const host of ['a.example', 'b.example', 'c.example'])
      t.match((await get('/docs/changelog', accept, host)).body, new RegExp(`Rendered 1 times, .*http://${host}`))
  }
})

t.test('all pages are below the path, and link to each other there', async (t) => {
  for (const document of [pets, largeDocument()]) {
    const app = await siteOf(t, document, { path: '/reference/v1', changelog, hide: ['swaggerUi'] })
    const pages = await crawl(app, '/reference/v1', '/llms.txt', '/sitemap.xml')
    t.ok(pages.size > 10)
    for (const [path, { statusCode, body }] of pages) {
      t.ok([200, 302].includes(statusCode), path)
      t.equal(/[./]docs[/"]/.exec(body)?.[0], undefined, path) // notMatch would print both
    }
  }
  t.equal((await (await site(t, { path: '/reference' }))('/')).headers.location, '/reference')
  for (const path of ['docs', '/', '/docs/']) await t.rejects(site(t, { path }), { message: /is not a path/ })
})

t.test('a server given takes the place of those of the document, whose variables have defaults', async (t) => {
  const given = await site(t, { server: 'https://api.example.com/v2' })
  const shown = '<span class="server-url">https://<wbr>api.example.com<wbr>/v2</span><wbr>/pets'
  t.match((await given('/docs')).body, shown)
  t.match((await given('/openapi.json')).json(), { servers: [{ url: 'https://api.example.com/v2' }] })
  const described = await site(t)
  const { body, headers } = await described('/docs')
  t.match(body, '<span class="server-url">https://<wbr>eu.pets.example<wbr>/v1</span><wbr>/pets')
  t.match(body, '>https://us.pets.example/v1/</option>')
  for (const all of [headers, (await described('/docs/swagger/')).headers])
    t.match(all['content-security-policy'], "connect-src 'self' https://eu.pets.example https://us.pets.example")
})

t.test('a proxy may serve the app below a path', async (t) => {
  const get = await site(t, { basePath: '/shop' })
  t.equal((await get('/')).headers.location, '/shop/docs')
  t.match((await get('/sitemap.xml')).body, '/shop/docs</loc>')
})

t.test('a logo, colors and links are shown', async (t) => {
  const folder = t.testdir({ 'logo.png': 'PNG', 'card.png': 'card' })
  const get = await site(t, {
    logo: new URL(`file://${folder}/logo.png`),
    picture: new URL(`file://${folder}/card.png`),
    colors: { accent: ['#036', '#9cf'], onAccent: 'rgb(0 0 0 / 90%)' },
    links: [{ text: 'Status <now>', url: 'https://status.example/?a&b' }],
  })
  const { body } = await get('/docs')
  t.match(body, '<a href="https://status.example/?a&amp;b">Status &lt;now&gt;</a>')
  const [, image = ''] = /<img src="\.([^"]*logo\.png)"/.exec(body) ?? []
  t.match(await get(image), { body: 'PNG', headers: { 'content-type': 'image/png' } })
  t.match(body, /<meta property="og:image" content="http:\/\/localhost\/docs\/[^"]*card\.png">/)
  t.notMatch((await (await site(t))('/docs')).body, 'og:image')
  t.match(body, ':root{--accent:light-dark(#036,#9cf);--on-accent:rgb(0 0 0 / 90%);}</style>')
  const accent = 'red;}body{display:none'
  const message = `colors.accent: ${accent} is not a color`
  await t.rejects(async () => (await site(t, { colors: { accent } }))('/docs'), { message })
})

t.test('samples are in the languages that a site wants', async (t) => {
  const get = await site(t, { languages: ['PHP', 'curl'] })
  const { body } = await get('/docs')
  const labels = Array.from(body.matchAll(/name="samples-listPets"[^>]* value="([^"]*)"/g), ([, label]) => label)
  t.strictSame(labels, ['PHP', 'curl'])
  t.notMatch(body, '<select class="more-languages')
  t.equal((await get('/docs/samples/ruby')).statusCode, 404)
  await t.rejects(site(t, { languages: ['Cobol'] }), { message: /^languages: Cobol is none of curl, / })
})

t.test('the base URL in the texts of a document is the one of the page if the option names it', async (t) => {
  const server = 'https://example.test/v1'
  const get = {
    operationId: 'listPets',
    'x-codeSamples': [{ lang: 'sh', source: `curl ${server}/pets` }],
    parameters: [{ name: 'from', in: 'query', schema: { type: 'string' }, example: `${server}/pets/7` }],
    responses: { 200: { description: 'Pets.' } },
  }
  const info = { title: 'Pets', version: '1', description: `Call ${server}/pets with 0.10.` }
  const document = parsed({ openapi: '3.1.0', info, servers: [{ url: '/api' }], paths: { '/pets': { get } } })
  for (const [options, address] of [
    [{}, server],
    [{ exampleServer: server }, 'http://localhost/api'],
  ] as const) {
    const read = await site(t, { document, ...options })
    for (const url of ['/docs.md', '/openapi.json']) {
      const { body } = await read(url)
      for (const text of [`Call ${address}/pets with`, `curl ${address}/pets`, `${address}/pets/7`])
        t.ok(body.includes(text), text)
      t.notOk(body.includes('.invalid'))
    }
  }
})

t.test(
  'all files are read before the app is ready, as an upgrade may delete them; scripts are revalidated',
  async (t) => {
    const app = await siteOf(t, pets)
    await app.ready()
    const { restore } = t.capture(files, 'readFile', () => Promise.reject(new Error('deleted')))
    syncBuiltinESMExports()
    const scripts = ['search.js', 'search-all.js', 'first-call.js', 'operations/listPets.js']
    for (const name of ['', ...scripts, 'swagger/static/swagger-ui.css']) {
      const { statusCode, headers } = await app.inject(`/docs/${name}`)
      const type = name.endsWith('.js') ? 'text/javascript' : name === '' ? 'text/html' : 'text/css'
      const expected = [200, `${type}; charset=utf-8`, 'no-cache']
      t.strictSame([statusCode, headers['content-type'], headers['cache-control']], expected, name)
    }
    restore()
    syncBuiltinESMExports()
  },
)

t.test('what is hidden is neither shown nor served', async (t) => {
  const get = await site(t, { hide: ['tryIt', 'samples', 'swaggerUi', 'downloads', 'discovery'] })
  const { body, headers } = await get('/docs')
  t.notMatch(headers['content-security-policy'], 'blob:')
  t.notMatch(carriedBy(body).rest, /Try it|class="tabs samples|Swagger UI| download=/)
  for (const url of ['/docs/swagger/', '/docs/samples/php', '/docs/operations/listPets.js', '/robots.txt', '/'])
    t.equal((await get(url)).statusCode, 404, url)
})

t.test('without schemas, bodies have their fields, and no link leads to a schema', async (t) => {
  const part = parseDocument(
    `
openapi: 3.1.0
info: { title: Shops, version: '1' }
paths:
  /shops:
    get:
      operationId: listShops
      responses:
        '200':
          description: All shops.
          content: { application/json: { schema: { $ref: '#/components/schemas/Shop' } } }
components: { schemas: { Shop: { type: object, properties: { city: { $ref: '#/components/schemas/City' } } }, City: { enum: [Rome, Oslo] } } }
`,
    'shops',
  )
  const shown = await (await site(t, { document: part }))('/docs')
  t.match(shown.body, /id="schema-City"/)
  t.notMatch(shown.body, 'id="listShops-200-city"')
  const { body } = await (await site(t, { document: part, hide: ['schemas'] }))('/docs')
  t.notMatch(carriedBy(body).rest, /schema-|Schemas/)
  for (const text of ['id="listShops-200-city"', /<p [^>]*class="type-line"><span class="type">Shop<\/span>/, '>Oslo<'])
    t.match(body, text)
  const large = await site(t, { document: largeDocument(120), hide: ['schemas'] })
  t.notMatch((await large('/sitemap.xml')).body, 'details-2')
})

t.test('where there is no page, a browser gets one with a search, and programs get JSON', async (t) => {
  for (const document of [pets, largeDocument()]) {
    const get = await site(t, { document })
    const { statusCode, headers, body } = await get('/docs/a/b?c=/d', 'text/html,*/*;q=0.8')
    t.match([statusCode, headers['content-type'], body], [404, 'text/html; charset=utf-8', /<h1[^>]*>Page not found/])
    t.match(headers['content-security-policy'], /^default-src 'none'/, 'with the policy of all pages')
    t.match(body, `<title>Page not found: ${document === pets ? 'Pets' : 'Things'}</title>`)
    t.match(body, /class="search-button/)
    t.match(body, document === pets ? 'href="../../docs#listPets"' : 'href="../../docs/tags/things#things/get-0"')
    t.match(body, '<script type="module">')
    t.match((await get('/docs/a/b')).json(), { statusCode: 404 })
  }
})

t.test('headings of the first level make sections if there are several; one alone is a title', async (t) => {
  const described = (description: string): Document =>
    Object.assign({}, pets, { info: { title: 'Pets', version: '1', description } })
  const get = await site(t, { document: described('# One\n\nA.\n\n## Deep\n\n# Two') })
  const { body } = await get('/docs')
  t.match(
    body,
    /<h2 dir="auto" id="one-heading"[^>]*>.*One.*<\/h2>[\s\S]*<h3 dir="auto" id="one-deep"[^>]*>Deep<\/h3>[\s\S]*<h2 dir="auto" id="two-heading"/,
  )
  t.equal(body.match(/<h1/g)?.length, 1)
  const other = await (await site(t, { document: described('# Other\n\nA.') }))('/docs')
  t.match(other.body, /<p[^>]*>Other<\/p>/)
  const { body: page, headers } = await (await site(t))('/docs')
  t.match(page, '<img src="https://img.example/pet.png" alt="A pet" loading="lazy">')
  t.match(headers['content-security-policy'], "img-src 'self' https://img.example")
  t.equal(page.match(/>Pets</g)?.length, 1)
})

t.test('texts have the direction of their letters, and code is not translated', async (t) => {
  const { body } = await (await site(t))('/docs')
  t.match(body, '<h1 dir="auto" id=')
  t.notMatch(body, /<code(?! translate="no")/)
})
