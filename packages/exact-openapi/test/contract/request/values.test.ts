import t from 'tap'
import { scalarReader } from '../../../src/contract/request/values.ts'

t.test('a text of too many digits stays a text, and so does an object that may be one', async (t) => {
  t.equal(scalarReader(['integer'])('1'.repeat(21)), '1'.repeat(21))
  t.equal(scalarReader(['object', 'string'])('{"a":1}'), '{"a":1}')
})
