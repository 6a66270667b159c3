import t from 'tap'
import { notImplemented, reporters } from '../../src/contract/handle.ts'

t.test('an operation without a handler is not implemented, which clients learn by a code', async (t) => {
  await t.rejects(notImplemented(), { statusCode: 501, code: 'not_implemented' })
})

t.test('responses are compared only if that is wanted', async (t) => t.equal(reporters.off, undefined))
