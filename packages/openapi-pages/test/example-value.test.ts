import { modelOf } from 'exact-openapi/model'
import t from 'tap'
import { describe, json, post, serve } from '../../exact-openapi/test/fixtures/serve.ts'
import { exampleRequest } from '../src/example-request.ts'
import { requestOf } from './fixtures/site.ts'

t.test('what is required and has no example gets a value of its schema', async (t) => {
  const string = { type: 'string' }
  const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
  const values: [schema: { example?: unknown; [keyword: string]: unknown }, value: unknown][] = [
    [string, 'string'],
    [{ ...string, format: 'date' }, '2026-10-05'],
    [{ ...string, enum: ['b', 'a'] }, 'b'],
    [{ ...string, default: 'd', example: 'e' }, 'e'],
    [{ type: 'boolean' }, true],
    [{ type: 'integer', minimum: 7 }, 7],
    [{ type: 'number' }, 1],
    [{ type: 'array', items: string }, ['string']],
    [{ oneOf: [{ type: 'boolean' }, string] }, true],
    [{ ...object({ a: string }), properties: { a: string, b: string } }, { a: 'string' }],
    [object({ id: { ...string, readOnly: true } }), {}],
    [{ allOf: [object({ a: string }), object({ b: { type: 'boolean' } })] }, { a: 'string', b: true }],
    [{ $ref: '#/components/schemas/Node' }, { next: {} }],
    [{}, 'string'],
  ]
  const schemas = { Node: object({ next: { $ref: '#/components/schemas/Node' } }) }
  for (const [schema, value] of values) {
    const parameters = [
      { in: 'query', name: 'q', required: true, schema },
      { in: 'query', name: 'optional', schema: string },
    ]
    const request = requestOf({ parameters, ...json(schema) }, { schemas })
    t.match(request, { body: value, query: { q: value } }, JSON.stringify(schema))
    t.notOk('optional' in request.query)
  }
})

t.test('an example of an int64 that is no integer is not sent', async (t) => {
  const schema = { type: 'integer', format: 'int64', example: 'ord_1' }
  t.strictSame(requestOf({ parameters: [{ in: 'query', name: 'q', required: true, schema }] }).query, { q: 1n })
})

const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const node = { type: 'object', required: ['list'], properties: { list: { type: 'array', items: ref('Tree') } } }
const mapping = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }
const pets = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping } }
const pet = (kind: string) => {
  return { type: 'object', required: ['kind', 'name'], properties: { kind: { enum: [kind] }, name: text } }
}
const components = { schemas: { Tree: node, Cat: pet('cat'), Dog: pet('dog') } }

/** The first property of each is what the example is made for. */
const demanding: object[] = [
  ...['date', 'date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'].map((format) => ({
    ...text,
    format,
  })),
  ...['uri', 'uri-reference', 'uri-template', 'uuid', 'byte'].map((format) => ({ ...text, format })),
  ...['json-pointer', 'relative-json-pointer', 'regex'].map((format) => ({ ...text, format })),
  { ...text, minLength: 20 },
  { ...text, maxLength: 3 },
  { ...text, minLength: 2, maxLength: 2 },
  ...['^[A-Z]{3}-\\d{4}$', '^(?:a|b)c+[^x]\\.$', '^ord_[a-f0-9]{8,}$'].map((pattern) => ({ ...text, pattern })),
  ...['^\\w+(?<n>x?)$', '^[A-Z]*$', '^\\d{4}-\\d\\d-\\d\\d$', '^.b$', '^\\bword\\b$'].map((pattern) => ({
    ...text,
    pattern,
  })),
  { ...text, pattern: '^a+$', minLength: 12 },
  { type: 'integer', minimum: 5, exclusiveMinimum: true, multipleOf: 4 },
  { type: 'integer', maximum: -7, exclusiveMaximum: true },
  { type: 'number', maximum: 0.75, multipleOf: 0.25 },
  { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true },
  { type: 'integer', multipleOf: 7, maximum: 6 },
  { type: 'integer', enum: [4, 5], not: { enum: [4] } },
  { type: 'array', items: text, minItems: 3, uniqueItems: true },
  { type: 'array', items: { type: 'integer', multipleOf: 2 }, minItems: 3, uniqueItems: true },
  { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2, uniqueItems: true },
  { type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true },
  { type: 'array', items: { ...text, maxLength: 2 }, minItems: 2, uniqueItems: true },
  { type: 'array', items: text, maxItems: 0 },
  { type: 'object', minProperties: 2, properties: { a: text, b: text, c: text } },
  { type: 'object', required: ['any'], additionalProperties: { type: 'integer' } },
  { type: 'integer', minimum: 3, allOf: [{ minimum: 8, type: 'integer' }] },
  {
    ...{ type: 'object', properties: { a: { type: 'integer' } } },
    allOf: [{ type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 9 } } }],
  },
  { oneOf: [{ type: 'object', required: ['a'], properties: { a: text } }, text] },
  { type: 'array', items: { type: 'integer' }, minItems: 2, uniqueItems: true },
  { type: 'array', minItems: 2, uniqueItems: true },
  { type: 'object', required: ['x'] },
  pets,
  ref('Tree'),
]

t.test('what an example is made for accepts it', async (t) => {
  const operations = Object.fromEntries(demanding.map((schema, at) => [`POST /${at}`, json(schema)]))
  const model = modelOf(describe({ operations, components }))
  const send = await serve(t, { operations, components })
  for (const [at, operation] of model.operations.entries()) {
    const { body } = exampleRequest(operation)
    const payload = JSON.stringify(body)
    const request = { ...post(payload), url: operation.path }
    t.equal(await send(request), `{"body":${payload}}`, JSON.stringify(demanding[at]))
  }
})

t.test('a property that has an example is part of the example, a hidden one is not', async (t) => {
  const properties = { a: { ...text, example: 'A' }, b: text, c: { ...text, example: 'C', readOnly: true } }
  t.strictSame(requestOf(json({ type: 'object', properties })).body, { a: 'A' })
})

t.test('a given example is sent without what is readOnly, and only if the schema accepts it', async (t) => {
  const hidden = { ...text, readOnly: true }
  const item = { type: 'object', required: ['a', 'id'], properties: { a: text, id: hidden } }
  for (const [schema, example, sent] of [
    [item, { a: 'A', id: 1, other: null }, { a: 'A', other: null }],
    [{ allOf: [item] }, { a: 'A', id: 1 }, { a: 'A' }],
    [{ type: 'array', items: item }, [{ a: 'A', id: 1 }], [{ a: 'A' }]],
    [{ type: 'object', properties: { within: item } }, { within: { a: 'A', id: 1 } }, { within: { a: 'A' } }],
    [item, '{"a":"A"}', { a: 'string' }],
    [item, { id: 1 }, { a: 'string' }],
    [item, [], { a: 'string' }],
    [{ type: 'array', items: text }, 'x', ['string']],
  ] as const) {
    const requestBody = { content: { 'application/json': { schema, example } } }
    const parameters = [
      { in: 'query', name: 'q', schema: { ...text, enum: ['x', 'y'] }, example: 'z' },
      { in: 'query', name: 'n', schema: { type: 'integer' }, example: 'seven' },
    ]
    const request = requestOf({ parameters, requestBody })
    t.match(request, { query: { q: 'x', n: 1 }, body: sent })
    t.notMatch(JSON.stringify(request), '"id"')
  }
})

t.test('a pattern that is not understood leaves a text that does not fit', async (t) => {
  for (const pattern of ['^(?=x)x$', '^(a)\\1$', '^[☃]$', '^(?<!x)b$']) {
    const parameters = [{ in: 'query', name: 'q', required: true, schema: { ...text, pattern } }]
    t.equal(requestOf({ parameters }).query.q, 'string', pattern)
  }
})

t.test('tuples, and null, have examples, too', async (t) => {
  for (const [schema, value] of [
    [{ type: 'array', prefixItems: [text, { type: 'integer' }] }, ['string', 1]],
    [{ prefixItems: [text], items: { type: 'integer' }, minItems: 3 }, ['string', 1, 1]],
    [{ type: 'null' }, null],
  ] as const) {
    const { operations } = modelOf(describe({ openapi: '3.1.0', operations: { 'POST /a': json(schema) } }))
    const [body] = operations.map((one) => exampleRequest(one).body)
    t.strictSame(body, value)
  }
})

t.test('what cannot be fitted is as near as it can be', async (t) => {
  const Loop = { type: 'object', required: ['a'], properties: { a: { oneOf: [ref('Loop')] } } }
  const odd: [schema: object, value: unknown][] = [
    [{ type: 'array', items: { type: 'boolean' }, minItems: 3, uniqueItems: true }, [true, false]],
    [{ enum: [4], not: { enum: [4] } }, 4],
    [{ allOf: [{ type: 'string', example: 'given' }] }, 'given'],
    [{ allOf: [{ type: 'object', example: { a: 1 } }] }, { a: 1 }],
    [ref('Loop'), { a: { a: { a: null } } }],
  ]
  for (const [schema, value] of odd) t.strictSame(requestOf(json(schema), { schemas: { Loop } }).body, value)
})
