// Addresses of a document lead to pages: none runs a script, wherever it stands.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildPages } from '../src/build.ts'
import { mayLink } from '../src/reference/links.ts'
import { carriedBy } from './fixtures/carried.ts'
import { parsed, site } from './fixtures/site.ts'

const addresses = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JavaScript&colon;alert(1)',
  'java&#115;cript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:alert(1)',
  'blob:https://a.example/1',
]

/** With the address wherever OpenAPI has one, and in texts as Markdown and as HTML. */
const documentWith = (url: string) => {
  const docs = { url, description: 'More' }
  const description = `[a](${url}) [b](<${url}>) <${url}> ![c](${url}) ![d][ref] <a href="${url}">e</a> <a href='${url}'>f</a> <img src="${url}"> <img src=${url} alt=g>\n\n[h][ref]\n\n[ref]: <${url}>`
  const properties = { a: { type: 'string', externalDocs: docs } }
  const schema = { type: 'object', description, externalDocs: docs, properties }
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/A' }, examples: { a: { externalValue: url } } },
  }
  const flow = { authorizationUrl: url, tokenUrl: url, refreshUrl: url, scopes: { a: description } }
  const operation = {
    ...{ operationId: 'a', tags: ['a'], summary: url, description, externalDocs: docs },
    security: [{ a: [] }, { b: [] }],
    parameters: [
      { in: 'query', name: 'q', description, examples: { a: { externalValue: url } }, schema: { type: 'string' } },
    ],
    requestBody: { description, content },
    responses: { 200: { description, content, links: { next: { operationId: 'a', description, server: { url } } } } },
    callbacks: { done: { '{$request.body#/a}': { post: { responses: { 200: { description } } } } } },
    servers: [{ url, description }],
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'A',
      version: '1',
      description,
      termsOfService: url,
      contact: { name: 'C', url },
      license: { name: 'L', url },
    },
    ...{ externalDocs: docs, servers: [{ url, description }], tags: [{ name: 'a', description, externalDocs: docs }] },
    paths: { '/a': { post: operation } },
    webhooks: { hook: { post: { description, externalDocs: docs, responses: { 200: { description } } } } },
    components: {
      schemas: { A: schema },
      securitySchemes: {
        a: { type: 'oauth2', description, flows: { implicit: flow } },
        b: { type: 'openIdConnect', openIdConnectUrl: url },
      },
    },
  }
}

const entities: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>', '&colon;': ':' }

/** Where the links and files of a page lead, as a browser reads them. */
function targetsIn(page: string): string[] {
  const found = carriedBy(page).rest.matchAll(
    /<\w[^>]*?\s(?:href|src|action|formaction|srcset|poster|data)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g,
  )
  return Array.from(found, ([, ...texts]) =>
    texts
      .join('')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
      .replace(/&\w+;/g, (entity) => entities[entity] ?? entity),
  )
}

t.test('no address runs a script', async (t) => {
  for (const url of addresses) {
    const app = await site(t, parsed(documentWith(url)))
    for (const path of ['/docs', '/docs/samples/php', '/docs/nowhere']) {
      const { body } = await app.inject({ url: path, headers: { accept: 'text/html' } })
      const targets = targetsIn(body)
      t.ok(targets.length > 5, path)
      for (const target of targets) {
        const { protocol } = new URL(target, 'https://docs.example/')
        t.ok(/^(https?|mailto):$/.test(protocol), `${path}: ${target}`)
      }
    }
  }
})

t.test('links to pages are kept', async (t) => {
  const relative = ['#a', '/a', './a:b', '../a', '?a=b', 'guide.html', 'a/b:c', 'a#b']
  for (const href of ['https://a.example', 'HTTP://a', 'mailto:a@b', ...relative]) t.ok(mayLink(href), href)
  for (const href of [...addresses, '', 'ftp://a', 'a:b', '\tjavascript:1', 'java\nscript:1'])
    t.notOk(mayLink(href), href)
  const app = await site(t, parsed(documentWith('examples/a.json')))
  t.match((await app.inject('/docs')).body, '<a href="examples/a.json">examples/a.json</a>')
})

t.test('images of texts are allowed wherever they stand, and those of no other origin', async (t) => {
  const description =
    '![a](https://a.example/a.png) <img src="https://b.example:8443/b.png"> ![c][c] `![d](https://d.example/d.png)`\n\n[c]: https://c.example/c.png "C"'
  const info = { title: 'A', version: '1', description: 'https://e.example' }
  const app = await site(t, parsed({ openapi: '3.0.3', info, paths: {}, tags: [{ name: 'a', description }] }))
  const { headers } = await app.inject('/docs')
  t.match(
    headers['content-security-policy'],
    /img-src 'self' https:\/\/a\.example https:\/\/b\.example:8443 https:\/\/c\.example blob:;/,
  )
})

t.test('pages on a static host carry their policy', async (t) => {
  const document = parsed({ ...documentWith('javascript:alert(1)'), servers: [{ url: 'https://a.example' }] })
  const app = await site(t, document, { hide: ['swaggerUi'] })
  const out = t.testdir()
  await buildPages(document, out, {})
  const pages = readdirSync(join(out, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.html'))
  t.ok(pages.length > 3)
  for (const name of pages) {
    const page = readFileSync(join(out, 'docs', name), 'utf8')
    const [, policy = ''] =
      /^<!doctype html>\n<html[^>]*>\n<head>\n {2}<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(
        page,
      ) ?? []
    const url = `/docs/${name.replace('index.html', '')}`
    const { headers } = await app.inject({ url, headers: { accept: 'text/html' } })
    t.equal(policy, String(headers['content-security-policy']).replace(" frame-ancestors 'none';", ''), name)
    t.match(policy, /default-src 'none'.*script-src 'sha256-/)
  }
})
