// An operation without a handler, and values that are equal.
import t from 'tap'
import { identityOf } from '../../src/contract/checks/numbers.ts'
import { accepts, int64, serve } from '../fixtures/serve.ts'

t.test('an operation without a handler responds with 501 if that is wanted', async (t) => {
  const operations = { 'GET /a': {}, 'POST /a': {} }
  const handlers = { 'GET /a': async () => ({ status: 200 }) }
  await t.rejects(serve(t, { operations, options: { handlers } }), { message: 'POST /a has no handler' })
  const send = await serve(t, { operations, options: { handlers, missing: 501 } })
  t.equal(await send('/a'), '')
  t.equal(await send({ method: 'POST', url: '/a' }), '501 This operation is not implemented.')
})

t.test('long identifiers of a list are compared with all of their digits', async (t) => {
  const list = { type: 'array', items: int64, uniqueItems: true }
  await accepts(t, [list, ['[9007199254740993,9007199254740992]'], ['[9007199254740993,9007199254740993]']])
  t.equal(identityOf(7n), identityOf(7), 'also in a response, where identifiers may be bigints')
})
