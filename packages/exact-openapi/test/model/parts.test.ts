import t from 'tap'
import { modelOf } from '../../src/model/index.ts'
import { ref } from '../fixtures/serve.ts'

t.test('what a value has to fit says of the whole what it says of itself', async (t) => {
  const Secret = { type: 'string', writeOnly: true, default: 'a' }
  const schemas = {
    Secret,
    Part: { allOf: [ref('Secret')] },
    OrNull: { anyOf: [ref('Secret'), { type: 'null' }] },
    OrNumber: { anyOf: [ref('Secret'), { type: 'number' }] },
    Whole: { allOf: [ref('Secret')], default: 'b' },
  }
  const model = modelOf({ openapi: '3.1.0', paths: {}, components: { schemas } } as never)
  const said = [...model.schemas.values()].map(({ writeOnly, default: usual }) => [writeOnly, usual])
  t.strictSame(said, [
    [true, 'a'],
    [true, 'a'],
    [true, 'a'],
    [undefined, undefined],
    [true, 'b'],
  ])
})
