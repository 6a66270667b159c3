import { LosslessNumber } from 'lossless-json'
import t from 'tap'
import { firstViolation } from '../../src/examples/index.ts'
import { integer, list, object, schemaOf, string } from '../fixtures/examples.ts'

t.test('a response must not have what is writeOnly', async (t) => {
  const schema = schemaOf(object({ key: { ...string, writeOnly: true }, name: string }))
  t.match(firstViolation(schema, { key: 'a' }, 'response'), { place: 'key', rule: 'writeOnly' })
})

t.test('what is wrong has a place, also within an item', async (t) => {
  const schema = schemaOf(object({ all: list(object({ id: integer })) }))
  t.match(firstViolation(schema, { all: [{}, { id: 'x' }] }, 'request'), { place: 'all[1].id', rule: 'type' })
})

t.test('a decimal with more digits than a double is compared as that double', async (t) => {
  const schema = schemaOf({ enum: [0.1] })
  t.equal(firstViolation(schema, new LosslessNumber('0.10000000000000000001'), 'response'), undefined)
  t.match(firstViolation(schema, new LosslessNumber('0.2000000000000000001'), 'response'), { rule: 'enum' })
})
