// What the contract implements of OpenAPI: documents for both sides of each row in the README.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'

const int64 = { type: 'integer', format: 'int64' }
const string = { type: 'string' }
const strings = { type: 'array', items: string }
const responses = { 204: { description: 'Done.' } }
const query = (schema: object, more = {}) => ({ parameters: [{ in: 'query', name: 'q', schema, ...more }] })
const path = (more = {}) => ({ parameters: [{ in: 'path', name: 'p', required: true, schema: strings, ...more }] })
const header = (name: string) => ({ parameters: [{ in: 'header', name, schema: strings }] })
const cookie = (more = {}) => ({ parameters: [{ in: 'cookie', name: 'c', schema: strings, explode: false, ...more }] })
const body = (schema: object, type = 'application/json', more = {}) => {
  return { requestBody: { content: { [type]: { schema, ...more } } } }
}
const response = (type: string) => ({
  responses: { 200: { description: 'Text.', content: { [type]: { schema: string } } } },
})
const object = (properties: object) => ({ type: 'object', properties })
const kind = (name: string) => ({ ...object({ kind: { type: 'string', enum: [name] } }), required: ['kind'] })
const discriminator = { propertyName: 'kind' }
const callbacks = { done: { 'https://x.test': { post: { responses } } } }
const links = { next: { operationId: 'one' } }

/** By row: a supported operation, and unsupported ones by their errors. */
const rows: Record<string, [supported: object[], refused: Record<string, object>]> = {
  'path parameters': [
    [path(), path({ style: 'simple' }), path({ style: 'matrix' }), path({ style: 'label', explode: true })],
    {
      'the parameter path p is not described': { isInPath: true },
    },
  ],
  'query parameters': [
    [
      query(strings),
      query(strings, { explode: false, style: 'form' }),
      query(string, { allowReserved: true }),
      query(strings, { style: 'pipeDelimited', explode: false }),
      query(strings, { style: 'spaceDelimited', explode: false }),
      query(object({}), { style: 'deepObject' }),
      query(int64, { allowEmptyValue: true }),
      { parameters: [{ in: 'query', name: 'q', content: { 'application/json': { schema: string } } }] },
    ],
    {
      'the style deepObject of query q, which is no object, is not supported': query(strings, { style: 'deepObject' }),
      'an object as pipeDelimited of query q is not supported': query(object({}), { style: 'pipeDelimited' }),
    },
  ],
  'header parameters': [[header('X-Names')], {}],
  'cookie parameters': [
    [cookie(), cookie({ explode: true })],
    { 'explode of cookie c is not supported': cookie({ explode: true, schema: object({}) }) },
  ],
  'types of parameters': [
    [
      query(int64),
      query({ type: 'number' }),
      query({ type: 'boolean' }),
      query({ type: 'array', items: int64 }),
      query({ type: 'array' }),
      query({ anyOf: [string, int64] }),
      query({ anyOf: [string, strings] }),
      query(object({ a: int64 })),
      query(object({})),
      query({}),
    ],
    {
      'the object a within query q is not supported': query(object({ a: object({}) })),
      'the type of query q, which may be one or several values, is not supported': query(
        { anyOf: [string, strings] },
        { explode: false },
      ),
      'the type of query q, which may be an object or not, is not supported': query({ anyOf: [string, object({})] }),
      'the type of the items of query q is not supported': query({ type: 'array', items: strings }),
    },
  ],
  'request bodies': [
    [
      body(object({ id: int64 })),
      { requestBody: { content: { 'application/json': {} } } },
      body(object({}), 'application/merge-patch+json'),
      body(object({}), 'text/json'),
      body(object({}), 'application/*+json'),
      body(object({ id: int64 }), 'application/x-www-form-urlencoded'),
      body({ type: 'object' }, 'application/x-www-form-urlencoded'),
      body(string, 'text/csv'),
      body({ type: 'string', format: 'binary' }, 'image/png'),
      body(object({}), 'multipart/form-data'),
      body(object({ any: {} }), 'application/x-www-form-urlencoded', { encoding: { a: { style: 'form' } } }),
      body(string, 'text/*'),
      { requestBody: { content: { 'application/xml': { schema: object({}) }, 'application/json': {} } } },
    ],
    {
      'the body multipart/mixed is not supported': body(object({}), 'multipart/mixed'),
      'the body application/xml is not supported': body(object({}), 'application/xml'),
    },
  ],
  responses: [
    [
      response('application/json'),
      response('text/plain'),
      response('application/problem+json'),
      response('text/*'),
      response('*/*'),
      { responses: { 200: { description: 'Anything.', content: { 'application/json': {} } } } },
      { responses: { ...responses, default: { description: 'Others.' } } },
      { responses: { ...responses, '4XX': { description: 'Others.' } } },
    ],
    {},
  ],
  numbers: [
    [
      body({
        ...int64,
        minimum: 1,
        maximum: 9,
        exclusiveMinimum: true,
        multipleOf: 2,
        nullable: true,
        enum: [2, null],
      }),
      body({ type: 'number', format: 'int32' }),
      body({ type: 'integer', format: 'double-int' }),
      body({ type: 'number', format: 'unixtime' }),
      body({ type: 'number', format: 'decimal' }),
      body({ type: 'integer', format: 'integer' }),
      body({ type: 'number', multipleOf: 0.1 }),
      body({ minimum: 1 }),
    ],
    {
      'one, requestBody content application/json schema: the format int46 of type integer is not supported: write int8, int16, int32, uint8, uint16, uint32, int64, uint64, double-int, unixtime or none':
        body({
          type: 'integer',
          format: 'int46',
        }),
      'one, requestBody content application/json schema: the format int64 of type number is not supported: write int8, int16, int32, uint8, uint16, uint32, float, double, decimal, unixtime or none':
        body({
          type: 'number',
          format: 'int64',
        }),
    },
  ],
  formats: [
    ['date-time', 'date', 'uuid', 'email', 'uri', 'byte', 'password', 'phone'].map((format) =>
      body({ type: 'string', format }),
    ),
    {},
  ],
  '`allOf`, `oneOf`, `anyOf`, `not`': [
    [
      body({ allOf: [object({ id: int64 }), object({ age: { type: 'integer' } })] }),
      body({
        oneOf: [object({ id: int64 }), { type: 'array', items: object({ id: int64, age: { type: 'number' } }) }],
      }),
      body({ anyOf: [object({ id: int64 }), object({ age: { type: 'number' } })], not: strings }),
      body({ allOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Dog' }] }),
      body({ oneOf: [{ allOf: [object({ id: int64 })] }, { anyOf: [string, { oneOf: [strings] }] }] }),
    ],
    {},
  ],
  '`discriminator`': [
    [
      body({ type: 'object', oneOf: [kind('cat'), kind('dog')], discriminator }),
      body({ ...object({}), discriminator }),
      body({ oneOf: [object({})], discriminator }),
      body({ oneOf: [{ $ref: '#/components/schemas/Dog' }], discriminator }),
    ],
    {},
  ],
  '`readOnly`, `writeOnly`': [
    [body(object({ id: { ...int64, readOnly: true } })), body(object({ id: { ...int64, writeOnly: true } }))],
    {},
  ],
  '`default`': [
    [query({ ...int64, default: 5 }), body({ oneOf: [object({ size: { type: 'integer', default: 1 } })] })],
    {
      'one: parameters 0 schema: default must be <= 5, or be left out': query({ ...int64, maximum: 5, default: 6 }),
      'one: requestBody content application/json schema properties size: default must be string, or be left out': body(
        object({ size: { type: 'string', default: 6 } }),
      ),
    },
  ],
  security: [
    [{ security: [{ open: [] }, { open: [], key: [] }] }],
    { 'the security scheme "other" is not implemented: give it a guard': { security: [{ other: [] }] } },
  ],
  methods: [[{}, query(string)], {}],
  '`links`, `callbacks`, `servers`': [
    [{ responses: { 204: { description: 'Done.', links } } }, { callbacks }],
    { 'servers of an operation: write them at the top of the document': { servers: [{ url: '/v2' }] } },
  ],
}

/** What follows says what to write instead. */
const beginning = (text: string) => new RegExp(`^${text.replace(/[^\w\s]/g, '\\$&')}`)

async function start(t: Test, described: object) {
  const isInPath = JSON.stringify(described).includes('"in":"path"') || 'isInPath' in described
  const template = isInPath ? '/a/{p}' : '/a'
  const { isInPath: _, ...given } = described as { isInPath?: boolean }
  const post = { operationId: 'one', security: [], responses, ...given }
  const handlers = { one: async () => ({ status: 204 }) }
  const scheme = { type: 'http', scheme: 'bearer' }
  const components = { schemas: { Dog: kind('dog') }, securitySchemes: { open: scheme, key: scheme, other: scheme } }
  const guards = { open: () => [], key: () => [] }
  const { app } = await buildDocumentApp(t, documentOf({ [template]: { post } }, components), { handlers, guards })
  await app.ready()
}

for (const [row, [supported, refused]] of Object.entries(rows)) {
  t.test(`${row}: supported, or rejected at the start`, async (t) => {
    for (const described of supported) await t.resolves(start(t, described), JSON.stringify(described))
    for (const [problem, described] of Object.entries(refused)) {
      const message = beginning(/^one[:,] /.test(problem) ? problem : `one: ${problem}`)
      await t.rejects(start(t, described), { message }, problem)
    }
  })
}

t.test(
  'a schema that a request may not have is rejected in a response, whether responses are checked or not',
  async (t) => {
    const bodies = rows.numbers?.[1] as Record<string, ReturnType<typeof body>>
    for (const [problem, { requestBody }] of Object.entries(bodies)) {
      const schema = requestBody.content['application/json']?.schema as object
      for (const [written, components] of [
        [schema, {}],
        [{ $ref: '#/components/schemas/Odd' }, { Odd: schema }],
      ]) {
        const content = { 'application/json': { schema: written } }
        const get = { operationId: 'one', security: [], responses: { 200: { description: 'Odd.', content } } }
        const document = documentOf({ '/a': { get } }, { schemas: { Dog: kind('dog'), ...components } })
        const message = new RegExp(
          `^(one|components schemas Odd).*${problem.slice(problem.indexOf(':')).replace(/[^\w\s]/g, '\\$&')}`,
        )
        for (const checkResponses of [true, false]) {
          await t.rejects(buildDocumentApp(t, document, { checkResponses }), { message }, problem)
        }
      }
    }
  },
)

t.test('a parameter may be a part of a segment, and have any name', async (t) => {
  const templates: Record<string, [url: string, values: Record<string, string>]> = {
    '/a/{p}.json': ['/a/1.b.json', { p: '1.b' }],
    '/a/@{p},{q}': ['/a/@1%2F2,3', { p: '1/2', q: '3' }],
    '/a/{p-q}': ['/a/x%20y', { 'p-q': 'x y' }],
    '/a:b/{p}:do': ['/a:b/1:do', { p: '1' }],
    '/a/{p}/': ['/a/1/', { p: '1' }],
    '/b/{p-q}/{p}': ['/b/x%2Cy/1,2', { 'p-q': 'x,y', p: '1,2' }],
    '/': ['/', {}],
  }
  const paths = Object.entries(templates).map(([template, [, values]]) => {
    const parameters = Object.keys(values).map((name) => ({ in: 'path', name, required: true, schema: string }))
    return [template, { get: { operationId: template, security: [], responses, parameters } }]
  })
  const routes: string[] = []
  const before = (app: FastifyInstance) =>
    app.addHook('onResponse', async ({ routeOptions }) => void routes.push(String(routeOptions.config.template)))
  const { app, got } = await buildDocumentApp(t, documentOf(Object.fromEntries(paths)), { before })
  for (const [template, [url, values]] of Object.entries(templates)) {
    t.equal((await app.inject(`/v1${url}`)).statusCode, 204, template)
    t.equal(routes.at(-1), `/v1${template}`, 'metrics and traces name it as the document does')
    t.strictSame({ ...(got[template] as { path?: object }).path }, values, template)
    t.equal((await app.inject({ method: 'PUT', url: `/v1${url}` })).headers.allow, 'GET, HEAD', template)
  }
})

t.test('templates that differ only in the names of parameters are one path', async (t) => {
  const operation = (name: string) => ({
    operationId: `of-${name}`,
    security: [],
    responses,
    parameters: [{ in: 'path', name, required: true, schema: string }],
  })
  const document = documentOf({ '/b/{p}': { get: operation('p') }, '/b/{q}': { delete: operation('q') } })
  const { app, got } = await buildDocumentApp(t, document)
  await app.inject('/v1/b/1')
  await app.inject({ method: 'DELETE', url: '/v1/b/2' })
  t.match(got, { 'of-p': { path: { p: '1' } }, 'of-q': { path: { q: '2' } } })
  const { headers } = await app.inject({ method: 'PUT', url: '/v1/b/1' })
  t.strictSame(String(headers.allow).split(', ').sort(), ['DELETE', 'GET', 'HEAD'])
})

t.test('a path comes before the templates that match it, also for methods that it lacks', async (t) => {
  const operation = (operationId: string, ...names: string[]) => ({
    operationId,
    security: [],
    responses,
    parameters: names.map((name) => ({ in: 'path', name, required: true, schema: string })),
  })
  const document = documentOf({
    '/a/{p}': { get: operation('get', 'p'), delete: operation('delete', 'p') },
    '/a/mine': { get: operation('mine') },
    '/a/x.(y)': { post: operation('odd') },
    '/a/{p}/b/{q}': { put: operation('put', 'p', 'q') },
    '/a/{r}/b/all': { get: operation('all', 'r') },
    '/c/{p}/{q-r}': { get: operation('two', 'p', 'q-r') },
    '/c/x/y': { post: operation('literal') },
    '/c/x:/y/z': { post: operation('colon') },
    '/c/{p}/y/{q}': { get: operation('three', 'p', 'q') },
  })
  const { app, got } = await buildDocumentApp(t, document)
  const allowed = {
    '/c/x/y': 'POST',
    '/c/x/1': 'GET, HEAD',
    '/c/1/y': 'GET, HEAD',
    '/c/x:/y/z': 'POST',
    '/c/x:/y/1': 'GET, HEAD',
    '/a/mine': 'GET, HEAD',
    '/a/x.(y)': 'POST',
    '/a/1/b/all': 'GET, HEAD',
    '/a/1/b/2': 'PUT',
  }
  for (const [path, allow] of Object.entries(allowed)) {
    for (const method of ['DELETE', 'PATCH'] as const) {
      const { statusCode, headers } = await app.inject({ method, url: `/v1${path}` })
      t.match({ statusCode, allow: headers.allow }, { statusCode: 405, allow }, `${method} ${path}`)
    }
  }
  t.equal((await app.inject({ method: 'PUT', url: '/v1/a/1/b/all' })).statusCode, 405)
  for (const [p, q] of [
    ['x', '1'],
    ['1', 'y'],
    ['1', '2'],
  ]) {
    t.equal((await app.inject(`/v1/c/${p}/${q}`)).statusCode, 204)
    t.match(got.two, { path: { p, 'q-r': q } })
  }
  t.equal((await app.inject('/v1/c/x/y')).statusCode, 405)
  await app.inject('/v1/c/x:/y/1')
  t.match(got.three, { path: { p: 'x:', q: '1' } })
  for (const other of ['min', 'mine2', 'x1y', 'x1(y)', 'xy', 'MINE', '%0A']) {
    t.equal((await app.inject({ method: 'DELETE', url: `/v1/a/${other}` })).statusCode, 204, other)
  }
})

t.test('of two templates with parts of a segment, the one with more text comes first, in either order', async (t) => {
  const templates = ['/g/{page}.{format}', '/g/{page}t.{format}', '/g/{page}.json']
  const parametersOf = (template: string) =>
    Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => ({ in: 'path', name, required: true, schema: string }))
  for (const all of [templates, templates.toReversed()]) {
    const paths = all.map((template) => {
      return [template, { get: { operationId: template, security: [], responses, parameters: parametersOf(template) } }]
    })
    const { app, got } = await buildDocumentApp(t, documentOf(Object.fromEntries(paths)))
    for (const [path, page] of [
      ['a.xml', 'a'],
      ['at.xml', 'a'],
      ['b.json', 'b'],
    ] as const) {
      await app.inject(`/v1/g/${path}`)
      t.match(Object.values(got).at(-1), { path: { page } }, path)
      for (const id of Object.keys(got)) delete got[id]
    }
  }
})

t.test('a template that leaves parameters undecided is rejected', async (t) => {
  for (const template of ['/a/{p}{q}', '/a/*', '/a/{', '/a/{p']) {
    const get = { operationId: 'one', security: [], responses }
    const message = beginning(`one: the path template ${template} is not supported`)
    await t.rejects(buildDocumentApp(t, documentOf({ [template]: { get } })), { message })
  }
  const get = { operationId: 'one', security: [], responses, ...path() }
  const message = beginning('one: the array p in a part of a segment of /a/{p}.json is not supported')
  await t.rejects(buildDocumentApp(t, documentOf({ '/a/{p}.json': { get } })), { message })
})

t.test('an operation of its own for HEAD, and one for TRACE, is rejected', async (t) => {
  const get = { operationId: 'one', security: [], responses }
  const two = { ...get, operationId: 'two' }
  for (const [method, instead] of [
    ['head', 'leave it out'],
    ['trace', 'it would send credentials back'],
  ] as const) {
    const beside = method === 'head' ? ' beside GET' : ''
    const message = beginning(`two: ${method.toUpperCase()} /a${beside} is not supported: ${instead}`)
    await t.rejects(buildDocumentApp(t, documentOf({ '/a': { get, [method]: two } })), { message })
  }
})

t.test('HEAD of a path that has no GET is served, without a body', async (t) => {
  const content = { 'application/json': { schema: object({ id: int64 }) } }
  const head = { operationId: 'exists', security: [], responses: { 200: { description: 'It is there.', content } } }
  const handlers = { exists: async () => ({ status: 200, headers: { 'x-size': '5' } }) }
  const { app } = await buildDocumentApp(t, documentOf({ '/a': { head } }), { handlers, checkResponses: true })
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/v1/a' })
  t.match({ statusCode, size: headers['x-size'], body }, { statusCode: 200, size: '5', body: '' })
})

t.test('each row of the table has both sides here', async (t) => {
  const page = readFileSync('packages/exact-openapi/README.md', 'utf8')
  const table = /^\| of OpenAPI \|.*\n.*\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? ''
  const features = Array.from(table.matchAll(/^\| (.*?) \|/gm), ([, feature]) => feature)
  t.strictSame(Object.keys(rows).toSorted(), features.toSorted())
})
