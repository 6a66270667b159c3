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
const consequence = (then: object | boolean) => ({ then })
const $ref = '#/paths/~1a/post/requestBody/content/application~1json/schema'
const self = { $ref }
const hidden = { ...integer, readOnly: true }
const exact = new LosslessNumber('0.10000000000000000001')
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
  for (const [whole, value] of [
    [a({ a: a({ b: a({ c: string }) }) }), { a: { b: {} } }],
    [{ ...a({ a: string, b: string }), maxProperties: 1 }, { a: 'string' }],
    [a({ next: self, n: integer }), { n: 1 }],
  ] as const)
    t.strictSame(generateExample(schemaOf(whole), 'response').value, value)
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
    [{ ...string, pattern: '^b*$', minLength: 7 }, 'bbbbbbb'],
    [{ ...string, pattern: '^b', minLength: 4 }, 'baaa'],
    [{ ...string, pattern: 'b$', minLength: 4 }, 'aaab'],
    [{ ...string, pattern: '^(?<x>.)\\b(?:\\t)a+?$' }, 'a\ta'],
    [{ ...string, pattern: '^(?=.*@)' }, 'user@example.com'],
    [{ ...list({ ...string, pattern: '^(a|b|c|d)$' }), minItems: 4, uniqueItems: true }, ['a', 'b', 'c', 'd']],
    [{ ...list({ ...string, maxLength: 3 }), minItems: 5, uniqueItems: true }, ['str', 'P1D', '0', 'st1', 'st2']],
    [{ ...integer, maximum: -1, multipleOf: 5 }, -5],
    [{ ...integer, maximum: 1, not: { const: 1 } }, 0],
    [{ ...integer, format: 'uint64', minimum: 2n ** 63n + 5n }, 2n ** 63n + 5n],
    [{ type: 'number', minimum: 1.2, maximum: 1.7 }, 1.5],
    [{ allOf: [{ ...integer, multipleOf: 4 }, { multipleOf: 6 }] }, 12],
    [{ type: 'number', example: exact }, exact],
    [{ if: string, ...consequence({ minLength: 2 }) }, 'string'],
    [{ ...integer, if: { minimum: 0 }, ...consequence({ minimum: 700 }) }, 700],
    [{ ...integer, if: { maximum: 0 }, ...consequence(false), else: { minimum: 700 } }, 700],
    [{ oneOf: [a({})], discriminator: { propertyName: 'kind', mapping: { cat: `${$ref}/oneOf/0` } } }, { kind: 'cat' }],
    [
      { ...a({ pets: list(a({ id: hidden, n: integer })) }), example: { pets: [{ id: 1, n: 2 }] } },
      { pets: [{ n: 2 }] },
    ],
    [{ ...a({ id: hidden, n: integer }), required: ['id', 'n'] }, { n: 1 }],
    [a({ a: { ...string, example: 'x' }, b: string }), { a: 'x' }],
    [{ ...a({ a: { ...string, example: 'x' } }), not: { required: ['a'] } }, {}],
    [{ ...a({ a: integer }), required: ['a'], not: { properties: { a: { enum: [1, 2, 0] } } } }, { a: 3 }],
    [
      { type: 'object', additionalProperties: integer, minProperties: 2 },
      { property1: 1, property2: 1 },
    ],
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
    [{ ...a({ next: { anyOf: [self, { type: 'null' }] } }), required: ['next'] }, { next: null }],
    [list(self), []],
    [{ prefixItems: [string, false] }, ['string']],
    [{ prefixItems: [integer, string], contains: { const: 7 }, maxItems: 2 }, [7, 'string']],
    [{ type: 'array', unevaluatedItems: { const: 3 }, minItems: 1 }, [3]],
  ] as const) {
    const made = generateExample(schema && schemaOf(schema))
    t.strictSame([made.value, made.violation], [value, undefined])
  }
  const closed = schemaOf({ type: 'object', additionalProperties: false, required: ['a'] })
  t.match(generateExample(closed), { value: {}, violation: { place: 'a', rule: 'required' } })
  t.match(generateExample(schemaOf({ enum: [] })), { value: null, violation: { rule: 'enum' } })
})
