import t from 'tap'
import { requestOf } from './fixtures/site.ts'

type Row = [schema: object, value: unknown]

t.test('what is required and has no example gets a value of its schema', async (t) => {
  const string = { type: 'string' }
  const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
  const values: [schema: { example?: unknown; [keyword: string]: unknown }, value: unknown][] = [
    [string, 'string'],
    [{ ...string, format: 'date' }, '2026-10-05'],
    [{ ...string, enum: ['b', 'a'] }, 'b'],
    [{ ...string, default: 'd', example: 'e' }, 'e'],
    [{ ...string, pattern: '^[^x]\\.\\d{2}[a-f]$' }, 'a.11a'],
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
    const request = requestOf({ parameters, requestBody: { content: { 'application/json': { schema } } } }, { schemas })
    t.match(request, { body: value, query: { q: value } }, JSON.stringify(schema))
    t.notOk('optional' in request.query)
  }
})

t.test('an example of an int64 that is no integer is not sent', async (t) => {
  const schema = { type: 'integer', format: 'int64', example: 'ord_1' }
  t.strictSame(requestOf({ parameters: [{ in: 'query', name: 'q', required: true, schema }] }).query, { q: 1n })
})

t.test('what cannot be fitted is as near as it can be', async (t) => {
  const ref = { $ref: '#/components/schemas/Loop' }
  const Loop = { type: 'object', required: ['a'], properties: { a: { oneOf: [ref] } } }
  const odd: Row[] = [
    ...['^(?=x)x$', '^(a)\\1$', '^[☃]$', '^(?<!x)b$'].map((pattern): Row => [{ type: 'string', pattern }, 'string']),
    [{ type: 'array', items: { type: 'boolean' }, minItems: 3, uniqueItems: true }, [true, false]],
    [{ enum: [4], not: { enum: [4] } }, 4],
    [{ allOf: [{ type: 'object', example: { a: 1 } }] }, { a: 1 }],
    [ref, { a: { a: { a: null } } }],
  ]
  for (const [schema, value] of odd) {
    const requestBody = { content: { 'application/json': { schema } } }
    t.strictSame(requestOf({ requestBody }, { schemas: { Loop } }).body, value)
  }
})
