import t from 'tap'
import { modelOf, plainSchema, type Schema } from '../../src/model/index.ts'
import { ref } from '../fixtures/serve.ts'

t.test('a schema of 3.1 is read in the keywords of 3.0', async (t) => {
  const [integer, string] = [{ type: 'integer' }, { type: 'string' }]
  const rows: [schema: object, read: object][] = [
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
      { ...ref('Named'), const: 1, allOf: [string] },
      { allOf: [{ title: 'B' }, string], enum: [1] },
    ],
  ]
  const schemas = { Named: { title: 'B' }, ...Object.fromEntries(rows.map(([schema], at) => [`S${at}`, schema])) }
  const model = modelOf({ openapi: '3.1.0', paths: {}, components: { schemas } } as never)
  for (const [at, [, read]] of rows.entries()) t.strictSame(plainSchema(model.schemas.get(`S${at}`) as Schema), read)
})
