// What the contract implements of OpenAPI: documents for both sides of each row in the README.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { documentOf } from 'test-kit/document'
import { buildDocumentApp } from 'test-kit/document-app'
import { int64, ref } from '../fixtures/serve.ts'

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
const content = (type: string, schema?: object) => ({ content: { [type]: schema ? { schema } : {} } })
const response = (type: string, schema?: object) => {
  return { responses: { 200: { description: 'Any.', ...content(type, schema) } } }
}
const object = (properties: object) => ({ type: 'object', properties })
const kind = (name: string) => ({ ...object({ kind: { type: 'string', enum: [name] } }), required: ['kind'] })
const bounds = { minimum: 1, maximum: 9, exclusiveMinimum: true, multipleOf: 2 }
const discriminator = { propertyName: 'kind' }
const callbacks = { done: { 'https://x.test': { post: { responses } } } }
const links = { next: { operationId: 'one' } }
const inBody = 'one, requestBody content application/json schema:'

/** By row: operations that start and no other test sends requests to, and unsupported ones by their errors. */
const rows: Record<string, [supported: object[], refused?: Record<string, object>]> = {
  'path parameters': [[path()], { 'the parameter path p is not described': { isInPath: true } }],
  'query parameters': [
    [query(string, { allowReserved: true })],
    {
      'the style deepObject of query q, which is no object, is not supported': query(strings, { style: 'deepObject' }),
      'an object as pipeDelimited of query q is not supported': query(object({}), { style: 'pipeDelimited' }),
    },
  ],
  'header parameters': [[header('X-Names')]],
  'cookie parameters': [
    [cookie()],
    { 'explode of cookie c is not supported': cookie({ explode: true, schema: object({}) }) },
  ],
  'types of parameters': [
    [
      query({ type: 'number' }),
      query({ type: 'boolean' }),
      query({ type: 'array' }),
      query({ anyOf: [string, strings] }),
    ],
    {
      'the object a within query q is not supported': query(object({ a: object({}) })),
      'the object b within query q is not supported': query(object({ b: { anyOf: [string, object({})] } })),
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
      { requestBody: content('application/json') },
      body(object({}), 'application/merge-patch+json'),
      body({ type: 'object' }, 'application/x-www-form-urlencoded'),
      body(object({ any: {} }), 'application/x-www-form-urlencoded', { encoding: { a: { style: 'form' } } }),
      { requestBody: { content: { 'application/xml': { schema: object({}) }, 'application/json': {} } } },
    ],
    {
      'the body multipart/mixed is not supported': body(object({}), 'multipart/mixed'),
      'the body application/xml is not supported': body(object({}), 'application/xml'),
      'the body text/csv is not supported': body(object({}), 'text/csv'),
    },
  ],
  responses: [
    [
      ...['application/json', 'text/plain', 'application/problem+json', 'text/*', '*/*'].map((type) =>
        response(type, string),
      ),
      response('application/json'),
      { responses: { ...responses, default: { description: 'Others.' } } },
      { responses: { ...responses, '4XX': { description: 'Others.' } } },
    ],
  ],
  numbers: [
    [
      body({ ...int64, ...bounds, nullable: true, enum: [2, null] }),
      ...['int32', 'unixtime', 'decimal'].map((format) => body({ type: 'number', format })),
      ...['double-int', 'integer'].map((format) => body({ type: 'integer', format })),
    ],
    {
      [`${inBody} the format int46 of type integer is not supported: write int8, int16, int32, uint8, uint16, uint32, int64, uint64, double-int, unixtime or none`]:
        body({ type: 'integer', format: 'int46' }),
      [`${inBody} the format int64 of type number is not supported: write int8, int16, int32, uint8, uint16, uint32, float, double, decimal, unixtime or none`]:
        body({ type: 'number', format: 'int64' }),
    },
  ],
  formats: [[...['email', 'uri', 'password', 'phone'].map((format) => body({ type: 'string', format }))]],
  '`allOf`, `oneOf`, `anyOf`, `not`': [
    [
      body({ allOf: [ref('Dog'), ref('Dog')] }),
      body({ oneOf: [{ allOf: [object({ id: int64 })] }, { anyOf: [string, { oneOf: [strings] }] }] }),
    ],
  ],
  '`discriminator`': [
    [
      body({ ...object({}), discriminator }),
      ...[object({}), ref('Dog')].map((one) => body({ oneOf: [one], discriminator })),
    ],
  ],
  '`readOnly`, `writeOnly`': [[body(object({ id: { ...int64, writeOnly: true } }))]],
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
  methods: [[{}, query(string)]],
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

for (const [row, [supported, refused = {}]] of Object.entries(rows)) {
  t.test(`${row}: supported, or rejected at the start`, async (t) => {
    for (const described of supported) await t.resolves(start(t, described), JSON.stringify(described))
    for (const [problem, described] of Object.entries(refused)) {
      const message = beginning(/^one[:,] /.test(problem) ? problem : `one: ${problem}`)
      await t.rejects(start(t, described), { message }, problem)
    }
  })
}

t.test('a schema that a request may not have is rejected in a response, checked or not', async (t) => {
  const bodies = rows.numbers?.[1] as Record<string, ReturnType<typeof body>>
  for (const [problem, { requestBody }] of Object.entries(bodies)) {
    const schema = requestBody.content['application/json']?.schema as object
    for (const [written, components] of [
      [schema, {}],
      [ref('Odd'), { Odd: schema }],
    ] as const) {
      const get = { operationId: 'one', security: [], ...response('application/json', written) }
      const document = documentOf({ '/a': { get } }, { schemas: { Dog: kind('dog'), ...components } })
      const end = problem.slice(problem.indexOf(':')).replace(/[^\w\s]/g, '\\$&')
      const message = new RegExp(`^(one|components schemas Odd).*${end}`)
      for (const checkResponses of [true, false])
        await t.rejects(buildDocumentApp(t, document, { checkResponses }), { message }, problem)
    }
  }
})

/** An operation with these path parameters. */
const operation = (operationId: string, ...names: string[]) => {
  const parameters = names.map((name) => ({ in: 'path', name, required: true, schema: string }))
  return { operationId, security: [], responses, parameters }
}

t.test('a parameter may be a part of a segment, and have any name', async (t) => {
  const templates: Record<string, [url: string, values: Record<string, string>]> = {
    '/a/{p}.json': ['/a/1.b.json', { p: '1.b' }],
    '/a/@{p},{q}': ['/a/@1%2F2,3', { p: '1/2', q: '3' }],
    '/a/{p-q}': ['/a/x%20y', { 'p-q': 'x y' }],
    '/c/{p}': ['/c/a%2525b%25', { p: 'a%25b%' }],
    '/a:b/{p}:do': ['/a:b/1:do', { p: '1' }],
    '/a/{p}/': ['/a/1/', { p: '1' }],
    '/b/{p-q}/{p}': ['/b/x%2Cy/1,2', { 'p-q': 'x,y', p: '1,2' }],
    '/': ['/', {}],
  }
  const paths = Object.entries(templates).map(([template, [, values]]) => {
    return [template, { get: operation(template, ...Object.keys(values)) }]
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
  t.equal((await app.inject('/v1/axb/1:do')).statusCode, 404, 'a colon is text')
})

t.test('templates that differ only in the names of parameters are one path', async (t) => {
  const paths = { '/b/{p}': { get: operation('of-p', 'p') }, '/b/{q}': { delete: operation('of-q', 'q') } }
  const document = documentOf(paths)
  const { app, got } = await buildDocumentApp(t, document)
  await app.inject('/v1/b/1')
  await app.inject({ method: 'DELETE', url: '/v1/b/2' })
  t.hasStrict(got, { 'of-p': { path: { p: '1' } }, 'of-q': { path: { q: '2' } } })
  const { headers } = await app.inject({ method: 'PUT', url: '/v1/b/1' })
  t.strictSame(String(headers.allow).split(', ').sort(), ['DELETE', 'GET', 'HEAD'])
})

t.test('a path comes before the templates that match it, also for methods that it lacks', async (t) => {
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
  for (const path of ['x/1', '1/y', '1/2']) {
    t.equal((await app.inject(`/v1/c/${path}`)).statusCode, 204)
    const [p, q] = path.split('/')
    t.match(got.two, { path: { p, 'q-r': q } })
  }
  t.equal((await app.inject('/v1/c/x/y')).statusCode, 405)
  await app.inject('/v1/c/x:/y/1')
  t.hasStrict(got.three, { path: { p: 'x:', q: '1' } })
  for (const other of ['min', 'mine2', 'x1y', 'x1(y)', 'xy', 'MINE', '%0A'])
    t.equal((await app.inject({ method: 'DELETE', url: `/v1/a/${other}` })).statusCode, 204, other)
})

t.test('a default is new for each request', async (t) => {
  const schema = { type: 'object', properties: { ids: { type: 'array', items: int64, default: [1] } } }
  const requestBody = { content: { 'application/json': { schema } } }
  const post = { operationId: 'one', security: [], responses, requestBody }
  const { app, got } = await buildDocumentApp(t, documentOf({ '/a': { post } }))
  for (const _request of [1, 2]) {
    await app.inject({ method: 'POST', url: '/v1/a', payload: {} })
    const { body } = got.one as { body: { ids: bigint[] } }
    t.strictSame(body.ids, [1n])
    body.ids.push(2n)
  }
})

t.test('a query parameter may have any name', async (t) => {
  for (const name of ['a+b', 'a b', 'a&b', 'a=b', 'a%20b', 'ä']) {
    const get = { operationId: 'one', security: [], responses, parameters: [{ in: 'query', name, schema: string }] }
    const { app, got } = await buildDocumentApp(t, documentOf({ '/a': { get } }))
    for (const sent of [encodeURIComponent(name), String(new URLSearchParams([[name, '']])).slice(0, -1)]) {
      t.equal((await app.inject(`/v1/a?${sent}=1`)).statusCode, 204, sent)
      t.hasStrict(got.one, { query: { [name]: '1' } }, sent)
    }
  }
})

t.test('of two templates with parts of a segment, the one with more text comes first, in either order', async (t) => {
  const inG = ['/g/{page}.{format}', '/g/{page}t.{format}', '/g/{page}.json']
  const templates = [...inG, '/k/{page}-{format}', '/k/{page}.json{format}']
  const pages = { '/g/a.xml': 'a', '/g/at.xml': 'a', '/g/b.json': 'b', '/k/a-b': 'a', '/k/a-b.json5': 'a-b' }
  const namesIn = (template: string) => Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => String(name))
  for (const all of [templates, templates.toReversed()]) {
    const paths = all.map((template) => [template, { get: operation(template, ...namesIn(template)) }])
    const { app, got } = await buildDocumentApp(t, documentOf(Object.fromEntries(paths)))
    for (const [path, page] of Object.entries(pages)) {
      await app.inject(`/v1${path}`)
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

t.test('a path with other names of parameters is the same for HEAD', async (t) => {
  const document = documentOf({ '/a/{p}': { get: operation('get', 'p') }, '/a/{q}': { head: operation('head', 'q') } })
  await t.rejects(buildDocumentApp(t, document), { message: /^head: HEAD \/a\/\{q\} beside GET is not supported/ })
})

t.test('HEAD of a path that has no GET is served, without a body', async (t) => {
  const content = { 'application/json': { schema: object({ id: int64 }) } }
  const head = { operationId: 'exists', security: [], responses: { 200: { description: 'It is there.', content } } }
  const handlers = { exists: async () => ({ status: 200, headers: { 'x-size': '5' } }) }
  const { app } = await buildDocumentApp(t, documentOf({ '/a': { head } }), { handlers, checkResponses: true })
  const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/v1/a' })
  t.hasStrict({ statusCode, size: headers['x-size'], body }, { statusCode: 200, size: '5', body: '' })
})

t.test('each row of the table has both sides here', async (t) => {
  const page = readFileSync('packages/exact-openapi/README.md', 'utf8')
  const table = /^\| of OpenAPI \|.*\n.*\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? ''
  const features = Array.from(table.matchAll(/^\| (.*?) \|/gm), ([, feature]) => feature)
  t.strictSame(Object.keys(rows).toSorted(), features.toSorted())
})
