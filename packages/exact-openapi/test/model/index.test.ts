import { LosslessNumber } from 'lossless-json'
import t from 'tap'
import { documentOf } from 'test-kit/document'
import {
  type Document,
  documentOf as frozenOf,
  isExact,
  type Model,
  methods,
  modelOf,
  plainCopy,
  plainSchema,
  type RawDocument,
  type Schema,
} from '../../src/model/index.ts'
import { ref } from '../fixtures/serve.ts'

const responses = { 204: { description: 'Done.' } }

t.test('operations come in the order of the document, each with a name; other keys of a path are none', async (t) => {
  const get = { responses }
  const { operations } = modelOf(
    documentOf({
      '/b': { summary: 'B', 'x-a': {}, get, put: { ...get, operationId: 'put' } },
      '/a': { delete: get },
      '/b/': { get },
      '/users/{user-name}/Posts.json': { get: { ...get, operationId: '' } },
      '/v2/b': { get },
      '/c': null,
    }),
  )
  const named = operations.map(({ id, method, path }) => `${id} ${method} ${path}`)
  t.strictSame(named, [
    'getB GET /b',
    'put PUT /b',
    'deleteA DELETE /a',
    'getB2 GET /b/',
    'getUsersByUserNamePostsJson GET /users/{user-name}/Posts.json',
    'getV2B GET /v2/b',
  ])
  t.strictSame(modelOf({} as Document).operations, [])
  const all = modelOf(documentOf({ '/a': Object.fromEntries(methods.map((method) => [method, get])) })).operations
  const safe = all.filter(({ isSafe }) => isSafe).map(({ method }) => method)
  t.strictSame(safe, ['GET', 'OPTIONS', 'HEAD', 'TRACE'])
})

t.test('a tag may have a name alone, and be a part of another', async (t) => {
  const tags = [{ name: 'a' }, { name: 'b', description: 'B.', parent: 'a', kind: 'nav', 'x-search-terms': ['c'] }]
  t.match(modelOf({ tags } as unknown as Document).tags, [
    { name: 'a', summary: '', description: '', externalDocs: undefined, parent: undefined, extensions: {} },
    { name: 'b', description: 'B.', parent: 'a', kind: 'nav', extensions: { 'x-search-terms': ['c'] } },
  ])
})

t.test('requests that the API sends are operations, too: webhooks, and callbacks of an operation', async (t) => {
  const paid = { $ref: '#/components/callbacks/Paid' }
  const document = {
    ...(documentOf(
      { '/a': { summary: 'A', description: 'The As.', post: { operationId: 'a', callbacks: { paid }, responses } } },
      { callbacks: { Paid: { '{$request.body#/url}': { post: { responses } } } } },
    ) as object),
    webhooks: { shipped: { post: { operationId: 'onShipped', responses } }, 'x-note': {} },
  }
  const { operations, webhooks } = modelOf(document as unknown as Document)
  const [operation] = operations
  const sent = webhooks.map(({ id, method, path }) => [id, method, path])
  t.strictSame(sent, [['onShipped', 'POST', 'shipped']])
  t.match(operation?.pathText, { summary: 'A', description: 'The As.' })
  t.equal(operation?.description, 'The As.')
  t.match(operation?.callbacks, [{ name: 'paid', operations: [{ method: 'POST', path: '{$request.body#/url}' }] }])
})

t.test('a schema is one object wherever it is referred to, so a recursive one is a cycle', async (t) => {
  const Node = {
    type: 'object',
    properties: { next: { $ref: '#/components/schemas/Node' }, 'a/b~1%25': { type: 'string' } },
  }
  const schemas = { Node, Alias: { $ref: '#/components/schemas/Node' } }
  const inside = { $ref: '#/components/schemas/Node/properties/a~1b~01%2525' }
  const parameters = [{ in: 'query', name: 'q', schema: inside }]
  const model = modelOf(documentOf({ '/a': { get: { parameters, responses } } }, { schemas }))
  const node = model.schemas.get('Node')
  t.equal(node?.properties?.next, node)
  t.equal(model.schemas.get('Alias'), node)
  t.equal(model.operations[0]?.parameters[0]?.schema, node?.properties?.['a/b~1%25'])
  t.equal(node?.properties?.['a/b~1%25']?.name, undefined)
})

t.test('the defaults of OpenAPI are filled in', async (t) => {
  const parameters = ['path', 'query', 'header', 'cookie'].map((place) => ({ in: place, name: place, schema: {} }))
  const headers = { 'X-A': { content: { 'application/json': { example: 5 } } } }
  const get = { parameters, responses: { 204: { ...responses[204], headers }, 'x-note': {} } }
  const [operation] = modelOf(documentOf({ '/{path}': { get } })).operations
  t.equal(operation?.responses.map(({ status }) => status).join(), '204', 'an extension is no response')
  const [header] = operation?.responses[0]?.headers ?? []
  t.match(header, { style: 'simple', explode: false, type: 'application/json', examples: [{ value: 5 }] })
  const filled = operation?.parameters.map(({ name, style, explode }) => `${name} ${style} ${explode}`)
  t.strictSame(filled, ['path simple false', 'query form true', 'header simple false', 'cookie form true'])
  t.match(operation, { deprecated: false, tags: [], description: '', security: undefined, body: undefined })
})

t.test('an operation has its tags and links, and a response its summary', async (t) => {
  const written = { tags: ['a'], externalDocs: { url: 'https://a.test' } }
  const get = { ...written, responses: { 204: { summary: 'Short.', description: 'Long.' } } }
  const [operation] = modelOf(documentOf({ '/a': { get } })).operations
  t.match(operation, { ...written, responses: [{ description: 'Short.\n\nLong.' }] })
})

t.test('security is that of the operation, or else of the document', async (t) => {
  const get = (security?: object) => ({ responses, ...(security && { security }) })
  const paths = { '/a': { get: get() }, '/b': { get: get([]) }, '/c': { get: get([{ a: [], b: [] }, {}]) } }
  const { operations } = modelOf({ ...documentOf(paths), security: [{ key: [] }] } as Document)
  const read = operations.map(({ security }) => security)
  t.strictSame(read, [[['key']], [], [['a', 'b'], []]])
})

t.test('servers are those of the operation, or else of its path', async (t) => {
  const [own, shared] = [[{ url: '/own' }], [{ url: '/shared' }]]
  const paths = { '/a': { servers: shared, get: { responses }, put: { responses, servers: own } } }
  const servers = modelOf(documentOf(paths)).operations.map((operation) => operation.servers)
  t.strictSame(servers, [shared, own])
})

t.test('header parameters that OpenAPI ignores are left out', async (t) => {
  const names = ['accept', 'Content-Type', 'Authorization', 'X-Id']
  const parameters = names.map((name) => ({ in: 'header', name, schema: {} }))
  const [operation] = modelOf(documentOf({ '/a': { get: { parameters, responses } } })).operations
  t.equal(operation?.parameters.map(({ name }) => name).join(), 'X-Id')
})

t.test('a schema is written as it was read, with its references resolved', async (t) => {
  const part = { type: 'string' }
  const whole = {
    ...{ items: part, properties: { a: part }, additionalProperties: part, not: part },
    ...{ allOf: [part], oneOf: [part], anyOf: [part], prefixItems: [part] },
    ...{ if: part, contains: part, patternProperties: { '^a': part }, dependentSchemas: { a: part } },
  }
  const { schemas } = modelOf(
    documentOf({}, { schemas: { Whole: whole, Alias: { $ref: '#/components/schemas/Whole' } } }),
  )
  t.strictSame(plainSchema(schemas.get('Alias') as Schema), whole)
})

t.test('a copy for libraries has numbers, and no $id', async (t) => {
  const value = { $id: 'a', count: 5n, rate: new LosslessNumber('0.50') }
  const components = { examples: { one: { value } } }
  const copy = plainCopy(documentOf({}, components)) as { components?: unknown }
  t.strictSame(copy.components, { examples: { one: { value: { count: 5, rate: 0.5 } } } })
})

t.test('texts beside a reference replace those of what it leads to, since 3.1', async (t) => {
  const components = {
    parameters: { Q: { in: 'query', name: 'q', description: 'Of the component.', schema: {} } },
    examples: {
      One: { summary: 'One', dataValue: 1, serializedValue: '1' },
      Two: { serializedValue: 'two' },
      None: { value: null },
    },
  }
  const examples = {
    one: { $ref: '#/components/examples/One', summary: 'Another' },
    two: { $ref: '#/components/examples/Two' },
    none: { $ref: '#/components/examples/None' },
  }
  const content = { 'text/plain': { examples } }
  const get = {
    parameters: [{ $ref: '#/components/parameters/Q', description: 'Here.' }],
    responses: { 200: { description: 'Done.', content } },
  }
  const described = (openapi: string) => {
    const [operation] = modelOf({ ...documentOf({ '/a': { get } }, components), openapi } as Document).operations
    const [media] = operation?.responses[0]?.media ?? []
    return [
      operation?.parameters[0]?.description,
      ...(media?.examples.map(({ summary, value }) => [summary, value]) ?? []),
    ]
  }
  t.strictSame(described('3.2.0'), ['Here.', ['Another', 1], [undefined, 'two'], [undefined, null]])
  t.strictSame(described('3.0.3').slice(0, 2), ['Of the component.', ['One', 1]])
})

t.test('a callback may be the path that it belongs to', async (t) => {
  const self = { '{$request.query.url}': { $ref: '#/paths/~1a' }, '{$url}': { post: { responses } } }
  const paths = { '/a': { get: { responses, callbacks: { done: self } } } }
  const [operation] = modelOf({ openapi: '3.1.0', paths } as never).operations
  const sent = operation?.callbacks[0]?.operations.map(({ path, method }) => [path, method])
  t.strictSame(sent, [['{$url}', 'POST']])
})

const [integer, int64, number] = [{ type: 'integer' }, { type: 'integer', format: 'int64' }, { type: 'number' }]
const exactOf = (schemas: Model['schemas']) => [...schemas].flatMap(([name, schema]) => (isExact(schema) ? [name] : []))

t.test('it is one wherever its schema stands, and so are the integers beside it there', async (t) => {
  const components = {
    schemas: {
      Third: integer,
      Second: integer,
      First: { anyOf: [ref('Second'), int64] },
      Other: { anyOf: [ref('Third'), ref('Second')] },
      Apart: integer,
      Number: { allOf: [{ type: 'number' }, ref('Apart')] },
      Mixed: { anyOf: [ref('Fraction'), int64] },
      Fraction: { type: 'number' },
    },
  }
  const { schemas } = modelOf({ openapi: '3.0.3', paths: {}, components } as never)
  t.strictSame(exactOf(schemas), ['Third', 'Second'])
  const mixed = [...schemas].flatMap(([name, { hasBigints }]) => (hasBigints ? [name] : []))
  t.strictSame(mixed, ['Fraction'])
})

t.test('the values of an int64 without a type are bigints', async (t) => {
  const values = (...all: unknown[]) => ({ format: 'int64', enum: all })
  const components = { schemas: { Exact: values(1, 9007199254740993n), Other: values(1, 'a'), None: values() } }
  const { schemas } = modelOf({ openapi: '3.0.3', paths: {}, components } as never)
  t.strictSame(exactOf(schemas), ['Exact'])
})

t.test('a document of 3.2 may say where it is', async (t) => {
  for (const [$self, $ref] of [
    ['https://example.com/api.yaml', 'https://example.com/api.yaml#/components/schemas/Number'],
    ['/api.yaml', 'api.yaml#number'],
    ['http://[', '#number'],
  ]) {
    const schemas = { Number: { $anchor: 'number', ...number }, Other: { $ref } }
    const raw = { openapi: '3.2.0', $self, info: { title: 'T', version: '1' }, paths: {}, components: { schemas } }
    const model = modelOf(frozenOf(raw as unknown as RawDocument))
    t.match(model.schemas.get('Other'), number, String($self))
  }
})
