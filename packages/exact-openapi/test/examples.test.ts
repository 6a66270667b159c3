// Examples that are made of schemas, and those of a response; contract/schemas.test.ts has those that requests may be.
import { LosslessNumber } from 'lossless-json'
import t from 'tap'
import { firstViolation, generateExample } from '../src/examples/index.ts'
import { modelOf, type Schema } from '../src/model/index.ts'
import { describe, int64, json } from './fixtures/serve.ts'

const string = { type: 'string' }
const integer = { type: 'integer' }
const list = (items: object) => ({ type: 'array', items })
const a = (properties: object) => ({ type: 'object', properties })
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const thenLong = { then: { minLength: 2 } }
const self = { $ref: '#/paths/~1a/post/requestBody/content/application~1json/schema' }
const kinds = {
  oneOf: [
    { ...a({ kind: { const: 'cat' } }), required: ['kind'] },
    { ...a({ kind: { const: 'dog' } }), required: ['kind', 'name'] },
  ],
  discriminator: { propertyName: 'kind' },
}

function schemaOf(schema: object) {
  const { operations } = modelOf(describe({ openapi: '3.1.0', operations: { 'POST /a': json(schema) } }))
  return operations[0]?.body?.media[0]?.schema as Schema
}

t.test('a response must not have what is writeOnly, and its example shows what is optional', async (t) => {
  const schema = schemaOf(a({ key: { ...string, writeOnly: true }, name: string }))
  t.match(firstViolation(schema, { key: 'a' }, 'response'), { place: 'key', rule: 'writeOnly' })
  t.strictSame(generateExample(schema, 'response').value, { name: 'string' })
  t.strictSame(generateExample(schema).value, {})
})

t.test('what is wrong has a place, also within an item', async (t) => {
  const schema = schemaOf(a({ all: list(a({ id: integer })) }))
  t.match(firstViolation(schema, { all: [{}, { id: 'x' }] }, 'request'), { place: 'all[1].id', rule: 'type' })
})

t.test('a decimal with more digits than a double is compared as that double', (t) => {
  const schema = schemaOf({ enum: [0.1] })
  t.equal(firstViolation(schema, new LosslessNumber('0.10000000000000000001'), 'response'), undefined)
  t.match(firstViolation(schema, new LosslessNumber('0.2000000000000000001'), 'response'), { rule: 'enum' })
  t.end()
})

t.test('an example is made of what the schema demands', async (t) => {
  for (const [schema, value] of [
    [undefined, 'string'],
    [{ oneOf: [{ type: 'null' }, { ...string, maxLength: 1 }] }, 's'],
    [{ ...string, pattern: '^\\p{Lu}\\u0041\\x42$' }, 'AAB'],
    [{ ...string, pattern: '^(a|b){2}$', enum: ['c', 'ab'] }, 'ab'],
    [{ ...int64, minimum: 9007199254740993n }, 9007199254740993n],
    [{ type: 'number', minimum: 1e21 }, 1e21],
    [kinds, { kind: 'cat' }],
    [{ ...string, pattern: '^a?b{2,}c{1,3}d*$' }, 'abbcd'],
    [{ if: string, ...thenLong }, 'string'],
    [
      { ...a({ a: string }), required: ['a'], dependentRequired: { a: ['b'] } },
      { a: 'string', b: 'string' },
    ],
    [
      { ...a({ a: string }), required: ['a'], dependentSchemas: { a: { required: ['b'] } } },
      { a: 'string', b: 'string' },
    ],
    [{ ...a({}), minProperties: 1, propertyNames: { pattern: '^x$' } }, { x: 'string' }],
    [{ ...a({}), minProperties: 1, propertyNames: { enum: [1, 'y'] } }, { y: 'string' }],
    [{ ...a({}), patternProperties: { '^x$': integer }, additionalProperties: false, minProperties: 1 }, { x: 1 }],
    [{ ...a({}), allOf: [a({ a: string })], required: ['b'], unevaluatedProperties: integer }, { b: 1 }],
    [{ contains: { const: 7 }, minContains: 2 }, [7, 7]],
    [{ prefixItems: [string], contains: { const: 7 } }, ['string', 7]],
    [{ ...list({ ...string, format: 'date' }), minItems: 2, uniqueItems: true }, ['2026-10-05', '2026-10-01']],
    [{ ...a({ next: { oneOf: [self, string] } }), required: ['next'] }, { next: 'string' }],
  ] as const) {
    const made = generateExample(schema && schemaOf(schema))
    t.strictSame([made.value, made.violation], [value, undefined])
  }
  const closed = schemaOf({ type: 'object', additionalProperties: false, required: ['a'] })
  t.match(generateExample(closed), { value: {}, violation: { place: 'a', rule: 'required' } })
  t.match(generateExample(schemaOf({ enum: [] })), { value: null, violation: { rule: 'enum' } })
})
