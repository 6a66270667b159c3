import { parseDocument } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import Fastify from 'fastify'
import t from 'tap'
import { alternativesOf } from '../../src/credentials.ts'
import { openapiPages, type PagesOptions } from '../../src/index.ts'
import { readReference } from '../../src/reference/read.ts'

const text = `
openapi: 3.1.0
info: { title: Keys, version: '1' }
paths:
  /open: { get: { operationId: open, security: [{}, { header: [] }], responses: { '200': { description: Done. } } } }
  /one/{id}: { get: { operationId: one, security: [{ header: [] }], parameters: [{ in: path, name: id, required: true, schema: { type: string } }], responses: { '200': { description: Done. } } } }
  /add: { post: { operationId: add, security: [{ header: [] }], responses: { '200': { description: Done. } } } }
  /asked: { get: { operationId: asked, security: [{ header: [] }], parameters: [{ in: query, name: q, required: true, schema: { type: string } }], responses: { '200': { description: Done. } } } }
  /both: { get: { operationId: both, security: [{ header: [], query: [] }], responses: { '200': { description: Done. } } } }
  /mine: { get: { operationId: mine, security: [{ header: [] }], responses: { '200': { description: Done. } } } }
  /mine/too: { get: { operationId: mineToo, security: [{ header: [] }], responses: { '200': { description: Done. } } } }
  /query: { get: { operationId: query, security: [{ query: [] }], responses: { '200': { description: Done. } } } }
  /cookie: { get: { operationId: cookie, security: [{ cookie: [] }], responses: { '200': { description: Done. } } } }
  /basic: { get: { operationId: basic, security: [{ basic: [] }], responses: { '200': { description: Done. } } } }
  /oauth: { get: { operationId: oauth, security: [{ oauth: [read] }], responses: { '200': { description: Done. } } } }
  /digest: { get: { operationId: digest, security: [{ digest: [] }, { tls: [] }], responses: { '200': { description: Done. } } } }
  /tls: { get: { operationId: tls, security: [{ tls: [] }], responses: { '200': { description: Done. } } } }
components:
  securitySchemes:
    unused: { type: http, scheme: bearer }
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: session }
    basic: { type: http, scheme: Basic }
    digest: { type: http, scheme: digest }
    tls: { type: mutualTLS }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: https://example.com/token, scopes: { read: Reading. } } } }
`
const document = parseDocument(text, 'keys')

t.test('each scheme that an operation asks for has a key, which is checked where that is possible', async (t) => {
  const { keys } = readReference(document)
  t.strictSame(
    keys.map((key) => [key.scheme, key.label, key.in, key.name, key.prefix, key.probe, key.schemeId]),
    [
      ['header', 'API key', 'header', 'X-Key', '', '/mine', undefined],
      ['query', 'API key', 'query', 'key', '', '/query', undefined],
      ['cookie', 'API key', 'cookie', 'session', '', undefined, undefined],
      ['basic', 'User name', 'header', 'Authorization', 'Basic ', '/basic', undefined],
      ['oauth', 'Access token', 'header', 'Authorization', 'Bearer ', '/oauth', 'security-oauth'],
    ],
  )
  t.ok(modelOf(document).securitySchemes.has('digest'), 'nothing can be typed for it')
})

t.test('a scheme that is repeated for each scope is said once', async (t) => {
  const scoped = `
  /scoped: { get: { operationId: scoped, security: [{ oauth: [read] }, { oauth: [a, b] }, { header: [] }], responses: { '200': { description: Done. } } } }
  /free: { get: { operationId: free, security: [{ oauth: [read] }, { oauth: [] }], responses: { '200': { description: Done. } } } }
components:`
  const model = parseDocument(text.replace('\ncomponents:', scoped), 'scoped')
  const access = readReference(model).groups.flatMap(({ operations }) => operations.map((one) => [one.id, one.access]))
  const linked = (name: string) => `[\`${name}\`](#security-${name})`
  const { scoped: ofScopes, free } = Object.fromEntries(access)
  t.strictSame(
    [ofScopes, free],
    [
      `Authorization: ${linked('oauth')} with \`read\` or \`a\` and \`b\`, or ${linked('header')}`,
      `Authorization: ${linked('oauth')}`,
    ],
  )
  const operation = modelOf(model).operations.find(({ id }) => id === 'scoped') as Operation
  t.strictSame(
    alternativesOf(modelOf(model), operation).map(({ name }) => name),
    ['oauth', 'header'],
  )
})

async function pageWith(options: Omit<PagesOptions, 'document'> = {}) {
  const app = Fastify()
  await app.register(openapiPages, { document, ...options })
  return (await app.inject('/docs')).body
}

t.test('the page has a field for each, and none where nothing can be tried', async (t) => {
  const page = await pageWith()
  t.equal(page.match(/<input id="key-/g)?.length, 6, 'a user name has a password')
  t.match(page, /<select id="key-choice"[^>]*>(<option>\w+<\/option>){5}<\/select>/)
  t.match(page, '<label for="key-oauth">Access token</label>')
  t.match(page, '<a class="hint" href="#security-oauth">How to get one</a>')
  t.notMatch(await pageWith({ hide: ['tryIt'] }), '<input id="key-')
})
