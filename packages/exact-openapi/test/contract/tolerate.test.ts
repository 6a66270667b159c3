import Fastify from 'fastify'
import t from 'tap'
import { exactOpenapi, operationsOf, problemsOf, type rules } from '../../src/index.ts'
import { documentOf, keywords, type RawDocument } from '../../src/model/index.ts'
import { json, serve } from '../fixtures/serve.ts'

const path = (name: string) => ({ in: 'path', name, required: true, schema: { type: 'string' } })
const withDefault = { type: 'object', properties: { size: { type: 'integer', default: 'large' }, n: { default: 1 } } }

/** By rule: an operation that breaks it, and what a request gets if that is tolerated. */
const broken: Record<keyof typeof rules, [name: string, operation: object, expected: string | RegExp]> = {
  'invalid-part': ['POST /a', { unknown: true, ...json({ type: 'object', required: true }) }, '{"body":{}}'],
  'no-security': ['POST /a', { security: undefined }, '{}'],
  'wrong-default': ['POST /a', json(withDefault), '{"body":{"n":1}}'],
  'unknown-format': [
    'POST /a',
    json({ type: 'object', properties: { n: { type: 'integer', format: 'odd' } } }),
    '{"body":{}}',
  ],
  'invalid-pattern': [
    'POST /a',
    json({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }),
    '{"body":{}}',
  ],
  'unreachable-path': ['POST /a', { parameters: [path('p')] }, /^404/],
  'other-servers': ['POST /a', { servers: [{ url: '/other' }] }, '{}'],
}

for (const [rule, [name, operation, expected]] of Object.entries(broken)) {
  t.test(`a document that breaks ${rule} starts only if that is tolerated`, async (t) => {
    const operations = { [name]: operation }
    await t.rejects(serve(t, { operations }), { message: new RegExp(`, or tolerate "${rule}"$`) })
    const send = await serve(t, { operations, options: { tolerate: [rule as keyof typeof rules] } })
    const request = {
      method: 'POST',
      url: '/a',
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    } as const
    t.match(await send(request), expected)
  })
}

t.test('a path that no request has is one with a query, a fragment or an escape', async (t) => {
  for (const odd of ['/a?b', '/a#b', '/a%20b']) {
    const message = `no request has the path ${odd}: write it without ?, # and %20, or tolerate "unreachable-path"`
    await t.rejects(serve(t, { operations: { [`GET ${odd}`]: {} } }), { message: `GET ${odd}: ${message}` })
  }
})

t.test('a name that is used twice is refused, as only one could be read', async (t) => {
  const twice = { 'GET /{p}/{p}': { parameters: [path('p')] } }
  const message = 'GET /{p}/{p}: the name p twice in /{p}/{p} is not supported: give each parameter a name of its own'
  await t.rejects(serve(t, { operations: twice }), { message })
  const same = { 'GET /{p}': { parameters: [path('p'), path('p')] } }
  await t.rejects(serve(t, { operations: same }), { message: 'GET /{p}, parameters: path p is described twice' })
})

t.test('a part that is too odd to be read is refused, whatever is tolerated', async (t) => {
  const tags = { info: { title: 'T', version: '1' }, openapi: '3.0.3', paths: {}, tags: [null] } as never
  const app = Fastify()
  const starting = app.register(exactOpenapi, { document: tags, handlers: {}, tolerate: ['invalid-part'] })
  const message = 'the document is not valid OpenAPI: tags 0 must be object'
  await t.rejects(Promise.resolve(starting), { message })
  t.strictSame(problemsOf(tags).problems, [message])
})

t.test('a keyword with an odd value means nothing', async (t) => {
  const odd = [null, 'x', {}, [], 5, true, -1, [null], { a: 5 }, { a: null }, 0, 1.5, ['a', 'a']]
  const read = [...(keywords.get('schema') ?? [])].filter(([key, { use }]) => use === 'read' && key !== '$ref')
  for (const [openapi, version] of [
    ['3.0.3', '3.0'],
    ['3.1.0', '3.1'],
  ] as const) {
    for (const [key] of read.filter(([, { versions }]) => versions.includes(version))) {
      const schemas = odd.flatMap((value) => [{ [key]: value }, { type: 'object', [key]: value }])
      const operations = Object.fromEntries(schemas.map((schema, at) => [`POST /${at}`, json(schema)]))
      const tolerate = ['invalid-part', 'invalid-pattern', 'unknown-format', 'wrong-default'] as const
      const send = await serve(t, { openapi, operations, options: { tolerate } })
      const headers = { 'content-type': 'application/json' }
      const results = schemas.map((_, at) => send({ method: 'POST', url: `/${at}`, headers, payload: '{"a":1}' }))
      const failed = (await Promise.all(results)).filter((result) => result.startsWith('500'))
      t.strictSame(failed, [], `${key} in ${openapi}`)
    }
  }
})

t.test('servers of an operation with the path of the document are no others', async (t) => {
  const servers = [{ url: 'https://uploads.test/' }]
  const send = await serve(t, { operations: { 'GET /a': { servers } } })
  t.equal(await send('/a'), '{}')
})

t.test('a default is wrong if it is filled in within itself, or if a request has it', async (t) => {
  const components = {
    schemas: {
      Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } }, default: {} },
      Returned: { type: 'object', properties: { url: { type: 'string', format: 'uri', default: '' } } },
    },
  }
  const of = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })
  const responses = { 200: { description: 'One.', content: of('Returned') } }
  const operations = { 'POST /a': { ...json({ $ref: '#/components/schemas/Tree' }), responses } }
  const message =
    'components schemas Tree: default must not be filled in within itself, or be left out, or tolerate "wrong-default"'
  await t.rejects(serve(t, { operations, components }), { message })
  const send = await serve(t, { operations, components, options: { tolerate: ['wrong-default'] } })
  const headers = { 'content-type': 'application/json' }
  t.equal(await send({ method: 'POST', url: '/a', headers, payload: '{"child":{}}' }), '{"body":{"child":{}}}')
})

t.test('parts whose defaults differ are refused, unless the whole says which one counts', async (t) => {
  const count = (value: number) => ({ type: 'integer', default: value })
  const object = (n: object) => ({ type: 'object', properties: { n } })
  const several = {
    'properties n: the value has the defaults 1 and 2': object({ allOf: [count(1), count(2)] }),
    'schema: n has the defaults 1 and 2': { allOf: [object(count(1)), object(count(2))] },
  }
  const request = { method: 'POST', url: '/a', headers: { 'content-type': 'application/json' }, payload: '{}' } as const
  for (const [problem, schema] of Object.entries(several)) {
    const operations = { 'POST /a': json(schema) }
    const message = new RegExp(`${problem}: write one, or tolerate "wrong-default"$`)
    await t.rejects(serve(t, { operations }), { message })
    const send = await serve(t, { operations, options: { tolerate: ['wrong-default'] } })
    t.equal(await send(request), '{"body":{"n":1}}')
  }
  for (const schema of [
    object({ allOf: [count(1), count(1)] }),
    object({ allOf: [count(1), count(2)], default: 1 }),
    { allOf: [object(count(1)), object({ minimum: 1 }), object(count(1))] },
  ]) {
    const send = await serve(t, { operations: { 'POST /a': json(schema) } })
    t.equal(await send(request), '{"body":{"n":1}}', JSON.stringify(schema))
  }
})

t.test('a rule that nothing breaks is named', async (t) => {
  const lines: string[] = []
  const app = Fastify({
    logger: { level: 'warn', stream: { write: (line: string) => void lines.push(JSON.parse(line).msg) } },
  })
  t.teardown(() => app.close())
  const post = { operationId: 'send', responses: { 204: { description: 'Done.' } } }
  const document = documentOf({
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/a': { post } },
  } as RawDocument)
  const tolerate = ['no-security', 'wrong-default'] as const
  await app.register(exactOpenapi, { document, handlers: {}, missing: 501, tolerate })
  t.strictSame(lines, ['tolerate has "wrong-default", which nothing breaks: leave it out'])
})

t.test('routes for fastify-openapi-glue have the methods that it knows', async (t) => {
  const query = { operationId: 'ask', security: [], responses: { 200: { description: 'Done.' } } }
  const raw = { openapi: '3.2.0', info: { title: 'T', version: '1' }, paths: { '/a': { query } } }
  const app = Fastify()
  t.teardown(() => app.close())
  const routes = operationsOf(app, { document: documentOf(raw as unknown as RawDocument), handlers: {}, missing: 501 })
  t.throws(() => routes.specification, {
    message: 'ask: fastify-openapi-glue has no QUERY: register exactOpenapi instead',
  })
})
