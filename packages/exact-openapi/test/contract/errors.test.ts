import t from 'tap'
import { asError } from '../../src/contract/errors.ts'

t.test('what is thrown stays as it is, and is the cause of an error if it is none', async (t) => {
  const error = new Error('No.')
  t.equal(asError(error), error)
  t.match(asError('no error'), { message: /is not an Error/, cause: 'no error' })
})
