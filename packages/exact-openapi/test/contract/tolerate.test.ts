import Fastify from 'fastify'
import t from 'tap'
import { operationsOf, problemsOf, type rules } from '../../src/index.ts'
import { keywords } from '../../src/model/index.ts'
import { describe, json, post, ref, serve, start } from '../fixtures/serve.ts'

const path = (name: string) => ({ in: 'path', name, required: true, schema: { type: 'string' } })
const withDefault = { type: 'object', properties: { size: { type: 'integer', default: 'large' }, n: { default: 1 } } }

/** By rule: an operation that breaks it, and what a request gets if that is tolerated. */
const broken: Record<keyof typeof rules, [operation: object, expected: string | RegExp]> = {
  'invalid-part': [{ unknown: true, ...json({ type: 'object', required: true }) }, '{"body":{}}'],
  'no-security': [{ security: undefined }, '{}'],
  'wrong-default': [json(withDefault), '{"body":{"n":1}}'],
  'unknown-format': [json({ properties: { n: { type: 'integer', format: 'odd' } } }), '{"body":{}}'],
  'invalid-pattern': [json({ properties: { a: { type: 'string', pattern: '(' } } }), '{"body":{}}'],
  'unreachable-path': [{ parameters: [path('p')] }, /^404/],
  'other-servers': [{ servers: [{ url: '/other' }] }, '{}'],
}

for (const [rule, [operation, expected]] of Object.entries(broken)) {
  t.test(`a document that breaks ${rule} starts only if that is tolerated`, async (t) => {
    const operations = { 'POST /a': operation }
    await t.rejects(serve(t, { operations }), { message: new RegExp(`, or tolerate "${rule}"$`) })
    const send = await serve(t, { operations, options: { tolerate: [rule as keyof typeof rules] } })
    t.match(await send(post('{}')), expected)
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
  const message = 'the document is not valid OpenAPI: tags 0 must be object'
  await t.rejects(start(t, tags, { tolerate: ['invalid-part'] }), { message })
  t.strictSame(problemsOf(tags).problems, [message])
})

t.test('a keyword with an odd value means nothing', async (t) => {
  const odd = [null, 'x', {}, [], 5, true, -1, [null], { a: 5 }, { a: null }, 0, 1.5, ['a', 'a']]
  const read = [...(keywords.get('schema') ?? [])].filter(([key, { use }]) => use === 'read' && key !== '$ref')
  for (const version of ['3.0', '3.1'] as const) {
    const openapi = `${version}.0`
    for (const [key] of read.filter(([, { versions }]) => versions.includes(version))) {
      const schemas = odd.flatMap((value) => [{ [key]: value }, { type: 'object', [key]: value }])
      const operations = Object.fromEntries(schemas.map((schema, at) => [`POST /${at}`, json(schema)]))
      const tolerate = ['invalid-part', 'invalid-pattern', 'unknown-format', 'wrong-default'] as const
      const send = await serve(t, { openapi, operations, options: { tolerate } })
      const results = schemas.map((_, at) => send({ ...post('{"a":1}'), url: `/${at}` }))
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
  const Tree = { type: 'object', properties: { child: ref('Tree') }, default: {} }
  const Returned = { type: 'object', properties: { url: { type: 'string', format: 'uri', default: '' } } }
  const components = { schemas: { Tree, Returned } }
  const content = { 'application/json': { schema: ref('Returned') } }
  const operations = { 'POST /a': { ...json(ref('Tree')), responses: { 200: { description: 'One.', content } } } }
  const problem = 'default must not be filled in within itself, or be left out, or tolerate "wrong-default"'
  await t.rejects(serve(t, { operations, components }), { message: `components schemas Tree: ${problem}` })
  const send = await serve(t, { operations, components, options: { tolerate: ['wrong-default'] } })
  t.equal(await send(post('{"child":{}}')), '{"body":{"child":{}}}')
})

t.test('of many defaults, only the wrong ones are refused', async (t) => {
  const values = Array.from({ length: 12 }, (_, at) => [`p${at}`, { type: 'integer', default: at < 11 ? at : 'x' }])
  const schema = { type: 'object', properties: Object.fromEntries(values) }
  const { broken } = problemsOf(describe({ operations: { 'POST /a': json(schema) } }))
  const place = 'requestBody content application/json schema properties'
  t.match(broken.get('wrong-default'), [`POST /a: ${place} p11: default must be an integer`])
  const within = (name: string) => ({ type: 'object', properties: { child: ref(name) }, default: {} })
  const both = json({ type: 'object', properties: { a: ref('A'), b: ref('B') } })
  const components = { schemas: { A: within('A'), B: within('B') } }
  const endless = problemsOf(describe({ operations: { 'POST /a': both }, components })).broken.get('wrong-default')
  t.match(endless, [/^components schemas A: default must not/, /^components schemas B: default must not/])
})

t.test('parts whose defaults differ are refused, unless the whole says which one counts', async (t) => {
  const count = (value: number) => ({ type: 'integer', default: value })
  const object = (n: object) => ({ type: 'object', properties: { n } })
  const several = {
    'properties n: the value has the defaults 1 and 2': object({ allOf: [count(1), count(2)] }),
    'schema: n has the defaults 1 and 2': { allOf: [object(count(1)), object(count(2))] },
  }
  for (const [problem, schema] of Object.entries(several)) {
    const operations = { 'POST /a': json(schema) }
    const message = new RegExp(`${problem}: write one, or tolerate "wrong-default"$`)
    await t.rejects(serve(t, { operations }), { message })
    const send = await serve(t, { operations, options: { tolerate: ['wrong-default'] } })
    t.equal(await send(post('{}')), '{"body":{"n":1}}')
  }
  for (const schema of [
    object({ allOf: [count(1), count(1)] }),
    object({ allOf: [count(1), count(2)], default: 1 }),
    { allOf: [object(count(1)), object({ minimum: 1 }), object(count(1))] },
  ]) {
    const send = await serve(t, { operations: { 'POST /a': json(schema) } })
    t.equal(await send(post('{}')), '{"body":{"n":1}}', JSON.stringify(schema))
  }
})

t.test('a rule that nothing breaks is named', async (t) => {
  const lines: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(JSON.parse(line).msg) } }
  const document = describe({ operations: { 'POST /a': { security: undefined } } })
  await start(t, document, { missing: 501, tolerate: ['no-security', 'wrong-default'] }, { logger })
  t.strictSame(lines, ['tolerate has "wrong-default", which nothing breaks: leave it out'])
})

t.test('routes for fastify-openapi-glue have the methods that it knows', async (t) => {
  const document = describe({ openapi: '3.2.0', operations: { 'QUERY /a': { operationId: 'ask' } } })
  const app = Fastify()
  t.teardown(() => app.close())
  const routes = operationsOf(app, { document, handlers: {}, missing: 501 })
  const message = 'ask: fastify-openapi-glue has no QUERY: register exactOpenapi instead'
  t.throws(() => routes.specification, { message })
})
