// The page without JavaScript: the HTML contains everything in the document.

import { modelOf } from 'exact-openapi/model'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import { ofOperation } from '../../../../packages/openapi-pages/src/extensions.ts'
import {
  changelogHtml,
  contentsHtml,
  referenceHtml,
} from '../../../../packages/openapi-pages/src/reference/html/reference.ts'
import { readReference } from '../../../../packages/openapi-pages/src/reference/read.ts'
import { page } from '../../../../packages/openapi-pages/test/fixtures/page-context.ts'
import { loadDocument } from '../../../../spec/document.ts'
import { changed } from '../../../fixtures/app.ts'

const document = loadDocument()
const { operations } = modelOf(document)
const reference = readReference(document)
const { html } = referenceHtml(reference, page)
const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => String(id))

t.test('every id is unique, and every link within the page leads to one', async (t) => {
  t.equal(new Set(ids).size, ids.length)
  const links = [...(html + contentsHtml(reference, '/docs').html).matchAll(/href="#([^"]*)"/g)].map(([, id]) =>
    String(id),
  )
  t.ok(links.length > 30)
  for (const link of links) t.ok(ids.includes(link), link)
  for (const name of ['openapi.json', 'openapi.yaml']) t.match(html, `<a href="./${name}" download="${name}">`)
  t.match(html, '<dl class="fields" data-kind="Parameter">')
})

t.test('the contents list every section, operation and schema', async (t) => {
  const contents = contentsHtml(reference, '/docs').html
  const { guide, groups, schemas } = reference
  t.match(contents, '<s>Look up a pet</s> <small>deprecated</small>')
  for (const { id } of [...guide, ...groups.flatMap(({ operations }) => operations), ...schemas])
    t.ok(contents.includes(`href="#${id}"`), id)
})

t.test('headings begin at the first level and skip none', async (t) => {
  const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
  t.equal(levels[0], 1)
  for (const [i, level] of levels.entries()) t.ok(level - (levels[i - 1] ?? 0) <= 1, `heading ${i}`)
})

t.test('an operation shows its code samples, its badges and its notice', async (t) => {
  const sampled = changed(({ paths }) => {
    const { get } = paths['/pets/{petId}'] ?? {}
    if (get) get['x-codeSamples'] = [{ lang: 'Go', label: 'Go <1.26>', source: 'a < b' }]
  })
  const { html } = referenceHtml(readReference(sampled), page)
  t.match(html, /<input type="radio" [^>]* value="Go &lt;1.26&gt;" checked><label [^>]*>Go &lt;1.26&gt;<\/label>/)
  t.match(html, '<code class="language-go"><span class="l">a &lt; b</span></code>')
  for (const badge of ['experimental', 'deprecated'])
    t.match(html, new RegExp(`<span class="badge [^>]*>${badge}</span>`))
  t.match(html, '<span class="badge badge-sunset">sunset December 31, 2027</span>')
  t.match(html, '<p class="notice">Deprecated since January 1, 2026;')
})

t.test('the base URL is shown relative to the page, with a choice if there are several', async (t) => {
  const shown = (servers: { url: string; description: string }[]) => {
    const all = servers.map((server) => ({ ...server, addresses: [server.url], variables: '' }))
    return referenceHtml({ ...reference, servers: all }, { ...page, root: '../', apiRoot: '../' }).html
  }
  const own = { url: '/v1', description: 'This server' }
  t.match(shown([own]), '<code class="server-url" data-url="../v1">/v1</code>')
  const several = shown([own, { url: 'https://api.example.com/v1', description: '' }])
  t.match(several, '<option data-url="../v1">/v1 (This server)</option>')
  t.match(several, '<option data-url="https://api.example.com/v1">https://api.example.com/v1</option>')
})

t.test('only operations that can be tried have a button', async (t) => {
  const buttons = [...html.matchAll(/class="try-it needs-script" data-url="[^"]*\/(\w+).js"/g)].map(([, id]) => id)
  const isTryable = (id: string) =>
    operations.some((operation) => operation.id === id && ofOperation(operation)['x-explorer-enabled'] !== false)
  const shown = reference.groups.flatMap(({ operations }) => operations.map(({ id }) => id))
  t.strictSame(buttons, shown.filter(isTryable), 'in the order of the page')
  t.notOk(buttons.includes('listOrders'), 'its response is too large')
})

t.test('several examples of a body are tabs, of requests and of responses', async (t) => {
  const two = { a: { summary: 'First', value: 1 }, b: { summary: 'Second', value: 2 } }
  const one = { a: { summary: 'Only', value: 3 } }
  const content = (examples: object) => ({ 'application/json': { schema: { type: 'integer' }, examples } })
  const responses = {
    200: { description: 'Done.', content: content(two) },
    201: { description: 'New.', content: content(one), headers: { 'X-A': { schema: {}, example: 'a' } } },
  }
  const post = { operationId: 'add', requestBody: { content: content(two) }, responses }
  const { html } = referenceHtml(readReference(documentOf({ '/a': { post } })), page)
  for (const group of ['bodies-add-0', 'results-add-200-0']) {
    t.match(html, `id="${group}-0" value="a" checked><label for="${group}-0">First</label>`)
    t.match(html, `id="${group}-1" value="b"><label for="${group}-1">Second</label>`)
  }
  t.notMatch(html, 'results-add-201')
  t.match(html, '<span>1 header</span>')
  t.match(html, '<figcaption class="visually-hidden">Only</figcaption>')
})

t.test('errors that every operation can return, and headers, are documented once', async (t) => {
  t.equal(html.split('>No key</figcaption>').length, 2)
  t.equal(html.split('id="headers-RateLimit"').length, 2)
  t.match(html, '<a id="cancelOrder-503" href="#responses-503">')
  t.match(html, /id="cancelOrder-409">/)
  const path = '/store/orders/{orderId}'
  const alone = changed(({ paths }) => {
    for (const other of Object.keys(paths)) if (other !== path) delete paths[other]
    delete paths[path]?.get
  })
  const one = readReference(alone)
  t.strictSame([one.responses, one.commonHeaders], [[], []])
  t.match(referenceHtml(one, page).html, 'id="cancelOrder-503">')
})

t.test('without a known API, the page says so, and nothing can be tried', async (t) => {
  const { html } = referenceHtml(reference, { ...page, isApiKnown: false })
  t.match(html, 'replace <code>YOUR_API_HOST</code> with the host of the API')
  t.notMatch(html, /class="try-it|api-key/)
})

t.test('every version of the changelog is a section with an address', async (t) => {
  const text = '# Changelog of the <API>\n\nA line.\n\n## 1.1.0\n\n- Added: `a`.\n\n## 1.0.0\n\nThe first version.\n'
  const { contents, content } = changelogHtml(text, '../')
  t.match(contents.html, '<li><a href="#1-1-0">1.1.0</a></li>\n<li><a href="#1-0-0">1.0.0</a></li>')
  t.match(content.html, '>Changelog of the &lt;API&gt;</h1>\n<div class="lead"><p>A line.</p>')
})

t.test('a response is a line that opens; a description that is more than a line is within it', async (t) => {
  const described = (description: string) =>
    changed(({ paths }) => {
      paths['/store/orders'] = { get: { operationId: 'x', responses: { 204: { description } } } }
    })
  const shown = (description: string) => referenceHtml(readReference(described(description)), page).html
  t.match(shown('*Done*.'), '</span> <span class="response-line"><em>Done</em>.</span></p>')
  const opened = (line: string, inside: string) =>
    `<span class="response-line">${line}</span></summary>\n<div class="inside">${inside}\n`
  t.match(shown('See [errors](#errors).'), opened('See errors.', '<p>See <a href="#errors">errors</a>.</p>'))
  t.match(shown('One.\n\nTwo.'), opened('One.', '<p>One.</p>\n<p>Two.</p>'))
})
