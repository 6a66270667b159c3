import t from 'tap'
import { follow, placeIn, shortened } from '../../src/model/index.ts'

t.test('a reference leads to a key with any characters, through others', async (t) => {
  const schemas = { 'a~1b/c%25': { type: 'string' }, A: { $ref: '#/components/schemas/a~01b~1c%2525' } }
  const found = follow({ components: { schemas } } as never, { $ref: '#/components/schemas/A' })
  t.strictSame(found, { node: { type: 'string' }, pointer: '#/components/schemas/a~01b~1c%2525' })
})

t.test('a place is written in words, and a long one is shortened', async (t) => {
  t.equal(placeIn('#/paths/~1a/get/responses/200'), 'responses 200')
  t.equal(placeIn('#/paths/~1a/parameters/0/schema'), 'parameters 0 schema')
  t.equal(placeIn('#/components/schemas/A'), 'components schemas A')
  const long = 'a'.repeat(100)
  t.strictSame([shortened(long), shortened(`${long}a`)], [long, `${long}…`])
})
