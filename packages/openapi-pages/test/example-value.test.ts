import { modelOf } from 'exact-openapi'
import t from 'tap'
import { documentOf } from '../../../test/fixtures/document-app.ts'
import { exampleRequest } from '../src/example-request.ts'

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
    [{ $ref: '#/components/schemas/Node' }, { next: 'string' }],
    [{}, 'string'],
  ]
  const schemas = { Node: object({ next: { $ref: '#/components/schemas/Node' } }) }
  for (const [schema, value] of values) {
    const requestBody = { required: true, content: { 'application/json': { schema } } }
    const parameters = [
      { in: 'query', name: 'q', required: true, schema },
      { in: 'query', name: 'optional', schema: string },
    ]
    const post = { operationId: 'one', parameters, requestBody, responses: {} }
    const [operation] = modelOf(documentOf({ '/a': { post } }, { schemas })).operations
    t.match(operation && exampleRequest(operation), { body: value, query: { q: value } }, JSON.stringify(schema))
    const optional = { ...post, requestBody: { ...requestBody, required: false } }
    const [other] = modelOf(documentOf({ '/a': { post: optional } }, { schemas })).operations
    t.equal(other && exampleRequest(other).body, schema.example)
    t.notOk('optional' in (operation ? exampleRequest(operation).query : {}))
  }
})

t.test('an example of an int64 that is no integer stays as it is', async (t) => {
  const schema = { type: 'integer', format: 'int64', example: 'ord_1' }
  const get = { operationId: 'a', parameters: [{ in: 'query', name: 'q', required: true, schema }], responses: {} }
  const [operation] = modelOf(documentOf({ '/a': { get } })).operations
  t.strictSame(operation && exampleRequest(operation).query, { q: 'ord_1' })
})
