import t from 'tap'
import { generateExample } from '../../src/examples/index.ts'
import { list, object, schemaOf, self, string } from '../fixtures/examples.ts'

t.test('an example of anything is a text, and one that does not fit says why', async (t) => {
  t.strictSame(generateExample(undefined), { value: 'string' })
  t.strictSame(generateExample(schemaOf(object({ name: string }))).value, {})
  t.equal(generateExample(schemaOf({ ...string, default: 'usual', example: 'shown' })).value, 'shown')
  t.strictSame(generateExample(schemaOf({ allOf: [{ ...object({}), example: { a: 1 } }] })).value, { a: 1 })
  const closed = schemaOf({ type: 'object', additionalProperties: false, required: ['a'] })
  t.match(generateExample(closed), { value: {}, violation: { place: 'a', rule: 'required' } })
  t.match(generateExample(schemaOf({ enum: [] })), { value: null, violation: { rule: 'enum' } })
})

t.test('what cannot be fitted is as near as it can be', async (t) => {
  for (const [schema, value] of [
    [{ ...list({ type: 'boolean' }), minItems: 3, uniqueItems: true }, [true, false]],
    [{ enum: [4], not: { enum: [4] } }, 4],
    [{ ...object({ a: { oneOf: [self] } }), required: ['a'] }, { a: { a: { a: null } } }],
    [{ ...string, pattern: '^(?=x)x$' }, 'string'],
    [{ ...string, pattern: '^(a)\\1$' }, 'string'],
    [{ ...string, pattern: '^[☃]$' }, 'string'],
    [{ ...string, pattern: '^(?<!x)b$' }, 'string'],
  ] as const)
    t.strictSame(generateExample(schemaOf(schema)).value, value)
})
