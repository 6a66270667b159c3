// readOnly and writeOnly where a value has several schemas.
import t from 'tap'
import { accepts, ref, serve, serveBody } from '../fixtures/serve.ts'

const string = { type: 'string' }
const id = { ...string, readOnly: true }
const Base = { type: 'object', required: ['id', 'name'], properties: { name: string } }

t.test('a property is hidden in one part, and required in another', async (t) => {
  const components = { schemas: { Base } }
  const base = ref('Base')
  for (const schema of [
    { allOf: [base, { properties: { id } }] },
    { allOf: [base], properties: { id } },
    { properties: { id }, oneOf: [base, { type: 'object', required: ['other'] }] },
    { allOf: [{ allOf: [base] }, { allOf: [{ properties: { id } }] }] },
    { ...Base, oneOf: [{ properties: { id } }, { required: ['other'] }] },
    { allOf: [base], anyOf: [{ properties: { id } }] },
  ]) {
    await accepts(t, [schema, ['{"name":"a"}'], ['{}']], '3.0.3', components)
  }
  const alone = await serveBody(t, base, '3.0.3', components)
  t.equal(await alone('{"name":"a"}'), '400 body id is required.', 'elsewhere it is required')
})

t.test('a branch that fails removes nothing that the next one takes', async (t) => {
  const first = { type: 'object', required: ['first'], properties: { id } }
  const second = { type: 'object', required: ['id'], properties: { id: string } }
  const received = { '{"id":"a"}': '{"id":"a"}', '{"id":5,"first":1}': '{"first":1}' } // the branch that applies does
  await accepts(t, [{ oneOf: [first, second] }, received, []])
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
