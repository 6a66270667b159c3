// Responses beyond JSON, and what else options say.
import t from 'tap'
import { identityOf } from '../../src/contract/checks/numbers.ts'
import type { Output } from '../../src/index.ts'
import { json, serve } from '../fixtures/serve.ts'

t.test('headers and texts of responses are checked, too', async (t) => {
  const responses = {
    200: {
      description: 'A text.',
      headers: {
        'X-Left': { schema: { $ref: '#/components/schemas/Digit' } },
        'X-Right': { schema: { $ref: '#/components/schemas/Digit' } },
        'X-Any': { content: { 'text/plain': {} } },
      },
      content: { 'text/plain': { schema: { type: 'string', maxLength: 5 } } },
    },
  }
  const outputs: [more: Partial<Output>, expected: RegExp][] = [
    [{ body: 'short', headers: { 'X-Left': '9', 'X-Any': 'a', 'x-other': 'b' } }, /^short$/],
    [{ body: 'too long' }, /^500 ask returned 200: body must NOT have more than 5 characters$/],
    [{ body: 'short', headers: { 'x-left': '10' } }, /^500 ask returned 200: header x-left must be <= 9$/],
    [{ body: 'short', headers: { 'x-left': 'many' } }, /^500 ask returned 200: header x-left must be an integer/],
    [{ body: 'short', headers: { 'x-right': '10' } }, /^500 ask returned 200: header x-right must be <= 9$/],
    [{ body: Buffer.from('bytes are sent') }, /^bytes are sent$/],
  ]
  for (const [more, expected] of outputs) {
    const handlers = { ask: async () => ({ status: 200, type: 'text/plain', ...more }) }
    const options = { handlers, checkResponses: 'throw' } as const
    const components = { schemas: { Digit: { type: 'integer', maximum: 9 } } }
    const send = await serve(t, { operations: { 'GET /a': { operationId: 'ask', responses } }, components, options })
    t.match(await send('/a'), expected)
  }
})

t.test('an operation without a handler responds with 501 if that is wanted', async (t) => {
  const operations = { 'GET /a': {}, 'POST /a': {} }
  const handlers = { 'GET /a': async () => ({ status: 200 }) }
  await t.rejects(serve(t, { operations, options: { handlers } }), { message: 'POST /a has no handler' })
  const send = await serve(t, { operations, options: { handlers, missing: 501 } })
  t.equal(await send('/a'), '')
  t.equal(await send({ method: 'POST', url: '/a' }), '501 This operation is not implemented.')
})

t.test('long identifiers of a list are compared with all of their digits', async (t) => {
  const list = json({ type: 'array', items: { type: 'integer', format: 'int64' }, uniqueItems: true })
  const send = await serve(t, { operations: { 'POST /a': list } })
  const post = (payload: string) =>
    send({ method: 'POST', url: '/a', headers: { 'content-type': 'application/json' }, payload })
  t.match(await post('[9007199254740993,9007199254740992]'), '9007199254740993')
  t.match(await post('[9007199254740993,9007199254740993]'), /^400 .*duplicate items/)
  t.equal(identityOf(7n), identityOf(7), 'also in a response, where identifiers may be bigints')
})
