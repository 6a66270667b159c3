import t from 'tap'
import { generateExample } from '../../src/examples/index.ts'
import { object, schemaOf, string } from '../fixtures/examples.ts'

t.test('an example of anything is a text, and one that does not fit says why', async (t) => {
  t.strictSame(generateExample(undefined), { value: 'string' })
  t.strictSame(generateExample(schemaOf(object({ name: string }))).value, {})
  t.equal(generateExample(schemaOf({ ...string, default: 'usual', example: 'shown' })).value, 'shown')
  const closed = schemaOf({ type: 'object', additionalProperties: false, required: ['a'] })
  t.match(generateExample(closed), { value: {}, violation: { place: 'a', rule: 'required' } })
  t.match(generateExample(schemaOf({ enum: [] })), { value: null, violation: { rule: 'enum' } })
})
