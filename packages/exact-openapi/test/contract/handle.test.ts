import t from 'tap'
import { notImplemented, reporters } from '../../src/contract/handle.ts'

t.test('an operation without a handler is not implemented, which clients learn by a code', async (t) => {
  await t.rejects(notImplemented(), { statusCode: 501, code: 'not_implemented' })
})

t.test('a difference is logged as an error, or thrown', async (t) => {
  const difference = new Error('ask returned 202')
  const lines: unknown[] = []
  reporters.log({ log: { error: (...line: unknown[]) => lines.push(line) } } as never)(difference)
  t.strictSame(lines, [[{ err: difference }, 'a response differs from the document']])
  t.throws(() => reporters.throw()(difference), difference)
  t.equal(reporters.off, undefined)
})
