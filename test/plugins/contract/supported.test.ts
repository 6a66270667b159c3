// What the contract implements of OpenAPI 3.0: a document for both sides of each row of the table in docs/development.md.
import t, { type Test } from 'tap'
import { buildDocumentApp, documentOf } from '../../fixtures/document-app.ts'
import { page } from '../../fixtures/pages.ts'

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
    [path(), path({ style: 'simple' })],
    {
      'style matrix of path p is not supported': path({ style: 'matrix' }),
      'the parameter path p is not described': {},
    },
  ],
  'query parameters': [
    [query(strings), query(strings, { explode: false, style: 'form' })],
    {
      'style pipeDelimited of query q is not supported': query(strings, { style: 'pipeDelimited', explode: false }),
      'style deepObject of query q is not supported': query(object({}), { style: 'deepObject' }),
      'allowReserved of query q is not supported': query(string, { allowReserved: true }),
      'allowEmptyValue of query q is not supported': query(string, { allowEmptyValue: true }),
    },
  ],
  'header parameters': [
    [header('X-Names')],
    { 'the reserved name of header Accept is not supported': header('Accept') },
  ],
  'cookie parameters': [[cookie()], { 'explode of cookie c is not supported': cookie({ explode: true }) }],
  'types of parameters': [
    [query(int64), query({ type: 'number' }), query({ type: 'boolean' }), query({ type: 'array', items: int64 })],
    {
      'the type object of query q is not supported': query(object({})),
      'the type that the schema lacks of query q is not supported': query({ anyOf: [string, int64] }),
      'the type of the items of query q is not supported': query({ type: 'array', items: strings }),
      'the type of the items of query n is not supported': {
        parameters: [{ in: 'query', name: 'n', schema: { type: 'array' } }],
      },
      'content of query q is not supported': {
        parameters: [{ in: 'query', name: 'q', content: { 'application/json': { schema: string } } }],
      },
    },
  ],
  'request bodies': [
    [
      body(object({ id: int64 })),
      body(object({}), 'application/merge-patch+json'),
      body(object({ id: int64 }), 'application/x-www-form-urlencoded'),
      body({ type: 'object' }, 'application/x-www-form-urlencoded'),
      body(string, 'text/csv'),
      body({ type: 'string', format: 'binary' }, 'image/png'),
    ],
    {
      'the body multipart/form-data is not supported': body(object({}), 'multipart/form-data'),
      'the body application/xml is not supported': body(object({}), 'application/xml'),
      'the body text/* is not supported': body(string, 'text/*'),
      'encoding of application/x-www-form-urlencoded is not supported': body(
        object({}),
        'application/x-www-form-urlencoded',
        { encoding: { a: { style: 'form' } } },
      ),
    },
  ],
  responses: [
    [
      response('application/json'),
      { responses: { 200: { description: 'Anything.', content: { 'application/json': {} } } } },
    ],
    {
      'the response 200 as text/plain is not supported': response('text/plain'),
      'the response default is not supported': { responses: { ...responses, default: { description: 'Others.' } } },
      'the response 4XX is not supported': { responses: { ...responses, '4XX': { description: 'Others.' } } },
    },
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
    ],
    { 'multipleOf is supported for integers only': body({ type: 'number', multipleOf: 0.1 }) },
  ],
  formats: [
    ['date-time', 'date', 'uuid', 'email', 'uri', 'byte', 'password'].map((format) => body({ type: 'string', format })),
    {
      'unknown format "daet" ignored in schema at path "#/properties/body"': body({ type: 'string', format: 'daet' }),
    },
  ],
  '`allOf`, `oneOf`, `anyOf`, `not`': [
    [
      body({ allOf: [object({ id: int64 }), object({ age: { type: 'integer' } })] }),
      body({
        oneOf: [object({ id: int64 }), { type: 'array', items: object({ id: int64, age: { type: 'number' } }) }],
      }),
      body({ anyOf: [object({ id: int64 }), object({ age: { type: 'number' } })], not: strings }),
      body({ oneOf: [{ allOf: [object({ id: int64 })] }, { anyOf: [string, { oneOf: [strings] }] }] }),
    ],
    {
      'oneOf with an int64 and another number in the same place is not supported': body({
        oneOf: [object({ id: int64 }), object({ id: { type: 'integer' } })],
      }),
      'anyOf with an int64 and another number in the same place is not supported': body({
        anyOf: [object({ id: int64 }), { type: 'object', additionalProperties: { type: 'number' } }],
      }),
      'not with an int64 and another number in the same place is not supported': body({ not: object({ id: int64 }) }),
    },
  ],
  '`discriminator`': [
    [body({ type: 'object', oneOf: [kind('cat'), kind('dog')], discriminator })],
    {
      'discriminator: requires oneOf keyword': body({ ...object({}), discriminator }),
      'discriminator: mapping is not supported': body({
        type: 'object',
        oneOf: [kind('cat'), kind('dog')],
        discriminator: { ...discriminator, mapping: { cat: 'Cat' } },
      }),
    },
  ],
  '`readOnly`, `writeOnly`': [
    [body(object({ id: int64 }))],
    {
      'readOnly is not supported': body(object({ id: { ...int64, readOnly: true } })),
      'writeOnly is not supported': body(object({ id: { ...int64, writeOnly: true } })),
    },
  ],
  '`links`, `callbacks`, `servers`': [
    [{ responses: { 204: { description: 'Done.', links } } }],
    {
      'callbacks are not supported': { callbacks },
      'servers of an operation are not supported': { servers: [{ url: '/v2' }] },
    },
  ],
}

async function start(t: Test, described: object) {
  const isInPath = JSON.stringify(described).includes('"in":"path"') || Object.keys(described).length === 0
  const template = isInPath ? '/a/{p}' : '/a'
  const post = { operationId: 'one', security: [], responses, ...described }
  const handlers = { one: async () => ({ status: 204 }) }
  const { app } = await buildDocumentApp(t, documentOf({ [template]: { post } }), { handlers })
  await app.ready()
}

for (const [row, [supported, refused]] of Object.entries(rows)) {
  t.test(`${row}: supported, or rejected at the start`, async (t) => {
    for (const described of supported) await t.resolves(start(t, described), JSON.stringify(described))
    for (const [problem, described] of Object.entries(refused)) {
      await t.rejects(start(t, described), { message: `one: ${problem}` }, problem)
    }
  })
}

t.test('a parameter is a whole segment of its path', async (t) => {
  const get = { operationId: 'one', security: [], responses, ...path() }
  for (const template of ['/a/{p}.json', '/a/x{p}', '/a/{p-q}', '/a:b/{p}', '/']) {
    const message = `one: the path template ${template} is not supported`
    const parameters = [{ in: 'path', name: template.includes('p-q') ? 'p-q' : 'p', required: true, schema: string }]
    await t.rejects(buildDocumentApp(t, documentOf({ [template]: { get: { ...get, parameters } } })), { message })
  }
})

t.test('the table in docs/development.md has these rows', async (t) => {
  const [, table = ''] = page('docs/development.md').split('| OpenAPI 3.0 |')
  const names = table.split('\n\n', 1)[0]?.matchAll(/^\| (.*?) \|/gm) ?? []
  t.strictSame(
    Array.from(names, ([, name]) => name),
    Object.keys(rows),
  )
})
