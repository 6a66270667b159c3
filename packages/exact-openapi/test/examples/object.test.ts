import t from 'tap'
import { integer, makes, object, self, string } from '../fixtures/examples.ts'

t.test('an object has what is required, by itself or beside others, and what has an example', async (t) =>
  makes(t, [
    [object({ a: { ...string, example: 'x' }, b: string }), { a: 'x' }],
    [{ ...object({ a: { ...string, example: 'x' } }), not: { required: ['a'] } }, {}],
    [{ ...object({ a: integer }), required: ['a'], not: { properties: { a: { enum: [1, 2, 0] } } } }, { a: 3 }],
    [
      { type: 'object', additionalProperties: integer, minProperties: 2 },
      { property1: 1, property2: 1 },
    ],
    [
      { ...object({ a: string }), required: ['a'], dependentRequired: { a: ['b'] } },
      { a: 'string', b: 'string' },
    ],
    [
      { ...object({ a: string }), required: ['a'], dependentSchemas: { a: { required: ['b'] } } },
      { a: 'string', b: 'string' },
    ],
    [{ ...object({}), minProperties: 1, propertyNames: { pattern: '^x$' } }, { x: 'string' }],
    [{ ...object({}), minProperties: 1, propertyNames: { enum: [1, 'y'] } }, { y: 'string' }],
    [{ ...object({}), patternProperties: { '^x$': integer }, additionalProperties: false, minProperties: 1 }, { x: 1 }],
    [{ ...object({}), allOf: [object({ a: string })], required: ['b'], unevaluatedProperties: integer }, { b: 1 }],
  ]),
)

t.test('of a response, what is optional is shown, some levels deep', async (t) =>
  makes(
    t,
    [
      [object({ key: { ...string, writeOnly: true }, name: string }), { name: 'string' }],
      [object({ a: object({ b: object({ c: string }) }) }), { a: { b: {} } }],
      [{ ...object({ a: string, b: string }), maxProperties: 1 }, { a: 'string' }],
      [object({ next: self, n: integer }), { n: 1 }],
    ],
    'response',
  ),
)
