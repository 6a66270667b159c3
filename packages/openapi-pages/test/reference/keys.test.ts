import { parseDocument } from 'exact-openapi'
import { modelOf, type Operation } from 'exact-openapi/model'
import t from 'tap'
import { alternativesOf } from '../../src/credentials.ts'
import { readReference } from '../../src/reference/read.ts'
import { site } from '../fixtures/site.ts'

const text = `
openapi: 3.1.0
info: { title: Keys, version: '1' }
paths:
  /open: { get: { operationId: open, security: [{}, { header: [] }], responses: &done { '200': { description: Done. } } } }
  /one/{id}: { get: { operationId: one, security: [{ header: [] }], parameters: [{ in: path, name: id, required: true, schema: { type: string } }], responses: *done } }
  /add: { post: { operationId: add, security: [{ header: [] }], responses: *done } }
  /asked: { get: { operationId: asked, security: [{ header: [] }], parameters: [{ in: query, name: q, required: true, schema: { type: string } }], responses: *done } }
  /both: { get: { operationId: both, security: [{ header: [], query: [] }], responses: *done } }
  /mine: { get: { operationId: mine, security: [{ header: [] }], responses: *done } }
  /mine/too: { get: { operationId: mineToo, security: [{ header: [] }], responses: *done } }
  /query: { get: { operationId: query, security: [{ query: [] }], responses: *done } }
  /cookie: { get: { operationId: cookie, security: [{ cookie: [] }], responses: *done } }
  /basic: { get: { operationId: basic, security: [{ basic: [] }], responses: *done } }
  /oauth: { get: { operationId: oauth, security: [{ oauth: [read] }], responses: *done } }
  /openid: { get: { operationId: openid, security: [{ 2ndOpenId: [] }], responses: *done } }
  /digest: { get: { operationId: digest, security: [{ digest: [] }, { tls: [] }], responses: *done } }
  /tls: { get: { operationId: tls, security: [{ tls: [] }], responses: *done } }
components:
  securitySchemes:
    unused: { type: http, scheme: bearer }
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: session }
    basic: { type: http, scheme: Basic }
    digest: { type: http, scheme: digest }
    tls: { type: mutualTLS }
    2ndOpenId: { type: openIdConnect, openIdConnectUrl: https://example.com/openid }
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
      ['2ndOpenId', 'Access token', 'header', 'Authorization', 'Bearer ', '/openid', 'security-2ndOpenId'],
    ],
  )
  t.ok(modelOf(document).securitySchemes.has('digest'), 'nothing can be typed for it')
})

t.test('a scheme that is repeated for each scope is said once, and all that are taken together', async (t) => {
  const scoped = `
  /scoped: { get: { operationId: scoped, security: [{ oauth: [read] }, { oauth: [a, b] }, { header: [] }], responses: *done } }
  /free: { get: { operationId: free, security: [{ oauth: [read] }, { oauth: [] }], responses: *done } }
components:`
  const model = parseDocument(text.replace('\ncomponents:', scoped), 'scoped')
  const access = readReference(model).groups.flatMap(({ operations }) => operations.map((one) => [one.id, one.access]))
  const linked = (name: string) => `[\`${name}\`](#security-${name})`
  const { scoped: ofScopes, free, both } = Object.fromEntries(access)
  t.strictSame(
    [ofScopes, free, both],
    [
      `Authorization: ${linked('oauth')} with \`read\` or \`a\` and \`b\`, or ${linked('header')}`,
      `Authorization: ${linked('oauth')}`,
      `Authorization: ${linked('header')} and ${linked('query')}`,
    ],
  )
  const operation = modelOf(model).operations.find(({ id }) => id === 'scoped') as Operation
  const alternatives = alternativesOf(modelOf(model), operation).map(({ name }) => name)
  t.strictSame(alternatives, ['oauth', 'header'])
})

t.test('an operation that may do without a key names its keys first; with a user name goes a password', async (t) => {
  const model = modelOf(document)
  const [open, basic] = ['open', 'basic'].map((id) => {
    const operation = model.operations.find((one) => one.id === id) as Operation
    return alternativesOf(model, operation)
  })
  t.match(open, [
    { name: 'header', credentials: [{ variables: ['API_KEY'] }] },
    { name: 'No key', credentials: [] },
  ])
  t.match(basic, [{ credentials: [{ prefix: 'Basic ', variables: ['API_USERNAME', 'API_PASSWORD'] }] }])
})

t.test('of two keys that one header has, a request sends the first', async (t) => {
  const model = modelOf(
    parseDocument(text.replace('[{ header: [], query: [] }]', '[{ unused: [], basic: [] }]'), 'same'),
  )
  const operation = model.operations.find(({ id }) => id === 'both') as Operation
  const sent = alternativesOf(model, operation).map(({ credentials }) => credentials.map(({ scheme }) => scheme))
  t.strictSame(sent, [['unused']])
})

t.test(
  'up to four keys are a choice in sight, and several that a request takes have variables of their own',
  async (t) => {
    const four = text.replace(/ {2}\/(oauth|openid): .*\n/g, '')
    const { body } = await (await site(t, parseDocument(four, 'four'))).inject('/docs')
    t.match(body, '<div class="tabs segmented')
    const model = modelOf(
      parseDocument(text.replace('[{ header: [], query: [] }]', '[{ header: [], 2ndOpenId: [] }]'), 'two'),
    )
    const [both] = alternativesOf(model, model.operations.find(({ id }) => id === 'both') as Operation)
    t.strictSame(
      both?.credentials.flatMap(({ variables }) => variables),
      ['HEADER_KEY', '_2ND_OPEN_ID_KEY'],
    )
  },
)

t.test('the page has a field for each, and none where nothing can be tried', async (t) => {
  const { body: page } = await (await site(t, document)).inject('/docs')
  t.equal(page.match(/<input id="key-/g)?.length, 7, 'a user name has a password')
  t.match(page, /<select id="key-choice"[^>]*>(<option>\w+<\/option>){6}<\/select>/)
  t.equal(page.match(/<div data-key="\w+" hidden>/g)?.length, 5, 'all but the first wait for the choice')
  t.match(page, '<input id="key-header" type="password"', 'it is not read from the screen')
  t.match(page, '<label for="key-oauth">Access token</label>')
  t.match(page, '<a class="hint" href="#security-oauth">How to get one</a>')
  const { body: other } = await (await site(t, document, { hide: ['tryIt'] })).inject('/docs')
  t.notMatch(other, '<input id="key-')
})
