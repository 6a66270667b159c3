import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { idIndex } from '../../../store/file/id-index.ts'

const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n]
const int64 = fc.oneof(fc.bigInt({ min, max }), fc.bigInt({ min: -3n, max: 3n }), fc.constantFrom(min, max, 2n ** 32n))

t.test('an index behaves like a Map from ids to the position of the first order with each', async (t) => {
  const same = fc.property(fc.array(int64, { maxLength: 200 }), fc.array(int64), (ids, others) => {
    const positions = new Map<bigint, number>()
    const index = idIndex()
    for (const id of ids) {
      assert.equal(index.add(id), positions.get(id))
      if (!positions.has(id)) positions.set(id, positions.size)
    }
    for (const id of [...ids, ...others]) assert.equal(index.find(id), positions.get(id))
  })
  t.doesNotThrow(() => fc.assert(same))
})

t.test('a large index finds each id, and none beyond 64 bits', async (t) => {
  for (const step of [1n, 2n ** 10n, 2n ** 32n, 2n ** 43n - 1n]) {
    const index = idIndex()
    const ids = Array.from({ length: 100_000 }, (_, position) => min + BigInt(position) * step)
    for (const id of ids) assert.equal(index.add(id), undefined)
    for (const [position, id] of ids.entries()) assert.equal(index.find(id), position)
    t.strictSame([max, min + 2n ** 64n, min - 2n ** 64n].map(index.find), [undefined, undefined, undefined])
  }
})
