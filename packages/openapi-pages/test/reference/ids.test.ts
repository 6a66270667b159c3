import t from 'tap'
import { documentOf } from 'test-kit/document'
import { site } from '../fixtures/site.ts'

t.test('no id is there twice, whatever things are called, and each link leads to one', async (t) => {
  const names = ['heading', 'body', '200', 'headers', 'Location-heading', 'a b', 'schemas', 'responses']
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  const schema = { type: 'object', properties, oneOf: [{ $ref: '#/components/schemas/Location' }, { properties }] }
  const parameters = names.map((name) => ({ in: 'query', name, schema: { type: 'string' } }))
  const headers = Object.fromEntries(names.map((name) => [name.replace(' ', ''), { schema: { type: 'string' } }]))
  const alternatives = { 'application/json': { schema } }
  const plain = { 'application/json': { schema: { type: 'object', properties } } }
  const operation = (operationId: string, tag = 'heading', content: object = plain) => ({
    operationId,
    tags: [tag],
    parameters,
    requestBody: { content },
    callbacks: { options: { '{$url}': { post: { responses: { 200: { description: 'Got it.', content } } } } } },
    responses: { 200: { description: 'All.', headers, content } },
  })
  const ids = [
    'heading',
    'ask',
    'headers',
    'responses',
    'options',
    'content',
    'columns',
    'make-body',
    'schema-Location',
  ]
  const others = ids.map((id) => [`/${id}`, { post: operation(id, 'Location-heading') }])
  const paths = { '/a': { post: operation('make', 'heading', alternatives) }, ...Object.fromEntries(others) }
  const schemas = { Location: { type: 'object', properties } }
  const document = documentOf(paths, { schemas })
  Object.assign(document, { tags: [{ name: 'heading' }, { name: 'heading' }] })
  const app = await site(t, document)
  const { body } = await app.inject('/docs')
  const found = Array.from(body.matchAll(/ id="([^"]*)"/g), ([, id]) => String(id))
  const twice = found.filter((id, at) => found.indexOf(id) !== at)
  const links = Array.from(body.matchAll(/ href="#([^"]*)"/g), ([, id]) => decodeURIComponent(String(id)))
  const nowhere = links.filter((id) => !found.includes(id))
  t.strictSame({ twice, nowhere }, { twice: [], nowhere: [] })
})

t.test("Swagger UI's document keeps what only looks like a media type", async (t) => {
  const responses = { 200: { description: 'A.', content: { 'text/plain': { example: 'A' } } } }
  const document = Object.assign(documentOf({ '/a': { get: { operationId: 'a', responses } } }), {
    'x-topics': [{ title: 'Start', content: './docs/start.md' }],
    tags: [{ name: 'a', 'x-b': { content: 'c' } }],
  })
  const app = await site(t, document)
  const { statusCode, body } = await app.inject('/docs/swagger/json')
  t.equal(statusCode, 200)
  t.match(JSON.parse(body), { 'x-topics': [{ content: './docs/start.md' }] })
})

t.test('robots may read everything where the API has no path; a sample is named after its language', async (t) => {
  const get = { operationId: 'a', responses: {}, 'x-codeSamples': [{ lang: 'Rust', source: 'call()' }] }
  const servers = [{ url: 'https://api.example.com' }]
  const app = await site(t, Object.assign(documentOf({ '/a': { get } }), { servers }))
  t.match((await app.inject('/robots.txt')).body, 'User-agent: *\nDisallow:\n')
  t.match((await app.inject('/docs')).body, 'the Rust sample of')
})
