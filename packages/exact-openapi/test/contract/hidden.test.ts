// readOnly and writeOnly where a value has several schemas.
import t from 'tap'
import { json, serve } from '../fixtures/serve.ts'

const string = { type: 'string' }
const id = { ...string, readOnly: true }
const Base = { type: 'object', required: ['id', 'name'], properties: { name: string } }
const post = (payload: string) =>
  ({ method: 'POST', url: '/a', headers: { 'content-type': 'application/json' }, payload }) as const

t.test('a property is hidden in one part, and required in another', async (t) => {
  const components = { schemas: { Base } }
  const base = { $ref: '#/components/schemas/Base' }
  for (const schema of [
    { allOf: [base, { properties: { id } }] },
    { allOf: [base], properties: { id } },
    { properties: { id }, oneOf: [base, { type: 'object', required: ['other'] }] },
    { allOf: [{ allOf: [base] }, { allOf: [{ properties: { id } }] }] },
    { ...Base, oneOf: [{ properties: { id } }, { required: ['other'] }] },
    { allOf: [base], anyOf: [{ properties: { id } }] },
  ]) {
    const send = await serve(t, { operations: { 'POST /a': json(schema) }, components })
    t.equal(await send(post('{"name":"a"}')), '{"body":{"name":"a"}}', JSON.stringify(schema))
    t.match(await send(post('{}')), /^400 .*name is required/)
  }
  const alone = await serve(t, { operations: { 'POST /a': json(base) }, components })
  t.equal(await alone(post('{"name":"a"}')), '400 body id is required.', 'elsewhere it is required')
})

t.test('a branch that fails removes nothing that the next one takes', async (t) => {
  const first = { type: 'object', required: ['first'], properties: { id } }
  const second = { type: 'object', required: ['id'], properties: { id: string } }
  const send = await serve(t, { operations: { 'POST /a': json({ oneOf: [first, second] }) } })
  t.equal(await send(post('{"id":"a"}')), '{"body":{"id":"a"}}')
  t.equal(await send(post('{"id":5,"first":1}')), '{"body":{"first":1}}', 'the branch that applies does')
})

t.test('a writeOnly property of one part is not required of a response by another', async (t) => {
  const schema = {
    allOf: [{ type: 'object', required: ['password'] }, { properties: { password: { ...string, writeOnly: true } } }],
  }
  const responses = { 200: { description: 'A user.', content: { 'application/json': { schema } } } }
  const handlers = { ask: async () => ({ status: 200, body: { name: 'a' } }) }
  const options = { handlers, checkResponses: 'throw' } as const
  const send = await serve(t, { operations: { 'GET /a': { operationId: 'ask', responses } }, options })
  t.equal(await send('/a'), '{"name":"a"}')
})
