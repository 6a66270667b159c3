import t from 'tap'
import { isOneOrSeveral, typeOf, typesOf } from '../../../src/contract/request/types.ts'
import type { Schema } from '../../../src/model/index.ts'

const of = (schema: object) => schema as Schema
const [string, array, object] = [{ type: 'string' }, { type: 'array' }, { type: 'object' }]

t.test('a schema has the types of its parts, of its values, or what its keywords describe', async (t) => {
  const rows: [schema: object, types: string[]][] = [
    [{ allOf: [string], oneOf: [array, { type: 'null' }] }, ['string', 'array']],
    [{ enum: ['a', true, 1, 0.5] }, ['string', 'boolean', 'integer', 'number']],
    [{ properties: {} }, ['object']],
    [{ items: string }, ['array']],
    [{}, []],
  ]
  for (const [schema, types] of rows) t.strictSame(typesOf(of(schema)), types)
  t.strictSame([typeOf(of({ anyOf: [string, string] })), typeOf(of({ anyOf: [string, array] }))], ['string', undefined])
})

t.test('one value or several are no object', async (t) => {
  t.ok(isOneOrSeveral(of({ anyOf: [string, array] })))
  for (const anyOf of [[array], [string, array, object]]) t.notOk(isOneOrSeveral(of({ anyOf })))
})
