import t from 'tap'
import { dialectOf } from '../../src/model/dialect.ts'

t.test('a schema of 3.1 is read in the keywords of 3.0', async (t) => {
  const [integer, string] = [{ type: 'integer' }, { type: 'string' }]
  for (const [schema, read] of [
    [{ examples: ['a'] }, { examples: ['a'], example: 'a' }],
    [
      { examples: ['a'], example: 'b' },
      { examples: ['a'], example: 'b' },
    ],
    [
      { type: ['string', 'integer', 'null'], format: 'int64', minimum: 1, title: 'A' },
      { title: 'A', anyOf: [string, { ...integer, format: 'int64', minimum: 1 }, { type: 'null' }] },
    ],
    [{ type: ['string', 'integer'], format: 'date' }, { anyOf: [{ ...string, format: 'date' }, integer] }],
    [{ type: ['integer', 'number'] }, { anyOf: [{ type: 'number' }] }],
    [
      { exclusiveMinimum: 1, minimum: 2, exclusiveMaximum: 5 },
      { minimum: 2, maximum: 5, exclusiveMaximum: true },
    ],
    [
      { $ref: '#/a', const: 1, allOf: [string] },
      { allOf: [{ $ref: '#/a' }, string], enum: [1] },
    ],
  ])
    t.strictSame(dialectOf('3.1.0')(schema as object), read)
})
