// Whether a value fits a schema, as examples are checked, beside the contract: both say the same of each.
import { LosslessNumber } from 'lossless-json'
import t from 'tap'
import { firstViolation, generateExample } from '../src/examples/index.ts'
import { modelOf } from '../src/model/index.ts'
import { describe, int64, json, serveBody } from './fixtures/serve.ts'

const string = { type: 'string' }
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

const cases: [schema: object, accepted: unknown[], refused: [value: unknown, rule: string][]][] = [
  [{ type: ['string', 'null'], maxLength: 2 }, [null, 'ab', '日本'], [['abc', 'maxLength']]],
  [{ type: ['object', 'null'] }, [null, {}], [[[], 'type']]],
  [{ enum: [{ a: 1, b: [2] }, null] }, [{ b: [2], a: 1 }, null], [[{ a: 1 }, 'enum']]],
  [{ enum: [] }, [], [['a', 'enum']]],
  [{ ...string, format: 'int32' }, ['any'], []],
  [{ ...string, format: 'date-time' }, ['2026-10-05T09:00:00Z'], [['2026-10-05', 'format']]],
  [{ type: 'array', uniqueItems: true }, [[1, '1']], [[[{ a: 1 }, { a: 1 }], 'uniqueItems']]],
  [{ type: 'array', uniqueItems: true }, [[1e30, 1e31]], [[[1e30, 1e30], 'uniqueItems']]],
  [{ contains: { const: 1 }, minContains: 2 }, [[1, 1, 0]], [[[1], 'contains']]],
  [{ contains: { const: 1 }, maxContains: 3 }, [[1, 1, 1]], [[[1, 1, 1, 1], 'contains']]],
  [{ type: 'array', prefixItems: [string], unevaluatedItems: { const: 0 } }, [['a', 0]], [[['a', 1], 'enum']]],
  [{ ...a({}), additionalProperties: false }, [{}], [[{ a: 1 }, 'additionalProperties']]],
  [{ ...a({}), additionalProperties: string }, [{ a: 'b' }], [[{ a: 1 }, 'type']]],
  [{ type: 'object', propertyNames: { maxLength: 1 } }, [{ a: 1 }], [[{ ab: 1 }, 'propertyNames']]],
  [{ type: 'object', dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [[{ a: 1 }, 'required']]],
  [{ type: 'object', dependentSchemas: { a: { required: ['b'] } } }, [{}], [[{ a: 1 }, 'required']]],
  [{ type: 'object', patternProperties: { '^a': string } }, [{ ab: 'c' }], [[{ ab: 1 }, 'type']]],
  [{ ...a({ a: {} }), allOf: [a({ b: {} })], unevaluatedProperties: false }, [{ a: 1, b: 1 }], [[{ c: 1 }, 'not']]],
  [{ ...a({ id: { ...string, readOnly: true } }), required: ['id'] }, [{}, { id: 'any' }], []],
  [{ if: string, else: { const: 1 } }, ['ab', 1], [[2, 'enum']]],
  [{ if: string, ...thenLong }, ['ab', 1], [['a', 'minLength']]],
  [{ not: string }, [1], [['a', 'not']]],
  [{ oneOf: [string, { maxLength: 1 }] }, ['ab', 1], [['a', 'oneOf']]],
  [{ oneOf: [string, { type: 'boolean' }] }, ['a', true], [[1, 'oneOf']]],
  [{ anyOf: [{ ...string, minLength: 2 }] }, ['ab'], [['a', 'minLength']]],
  [kinds, [{ kind: 'cat' }, { kind: 'dog', name: 'Rex' }], [[{ kind: 'dog' }, 'required']]],
  [kinds, [], [[{}, 'discriminator']]],
  [{ ...int64, minimum: 2 }, [2, 3], [[1, 'minimum']]],
  [int64, [], [['2', 'type']]],
]

t.test('a value fits an example of a schema if the contract accepts it', async (t) => {
  for (const [schema, accepted, refused] of cases) {
    const send = await serveBody(t, schema, '3.1.0')
    const read = schemaOf(schema)
    for (const value of accepted) {
      t.equal(firstViolation(read, value, 'request'), undefined, JSON.stringify([schema, value]))
      t.notMatch(await send(JSON.stringify(value)), /^400/)
    }
    for (const [value, rule] of refused) {
      t.match(firstViolation(read, value, 'request'), { rule }, JSON.stringify([schema, value]))
      t.match(await send(JSON.stringify(value)), /^400/)
    }
  }
})

function schemaOf(schema: object) {
  return (
    modelOf(describe({ openapi: '3.1.0', operations: { 'POST /a': json(schema) } })).operations[0]?.body?.media[0]
      ?.schema ?? { pointer: '' }
  )
}

t.test('a response must not have what is writeOnly, and its example shows what is optional', async (t) => {
  const schema = schemaOf(a({ key: { ...string, writeOnly: true }, name: string }))
  t.match(firstViolation(schema, { key: 'a' }, 'response'), { place: 'key', rule: 'writeOnly' })
  t.strictSame(generateExample(schema, 'response').value, { name: 'string' })
  t.strictSame(generateExample(schema).value, {})
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
    [{ ...a({ next: { oneOf: [self, string] } }), required: ['next'] }, { next: 'string' }],
  ] as const) {
    const made = generateExample(schema && schemaOf(schema))
    t.strictSame([made.value, made.violation], [value, undefined])
  }
  const closed = schemaOf({ type: 'object', additionalProperties: false, required: ['a'] })
  t.match(generateExample(closed), { value: {}, violation: { place: 'a', rule: 'required' } })
  t.match(generateExample(schemaOf({ enum: [] })), { value: null, violation: { rule: 'enum' } })
})
