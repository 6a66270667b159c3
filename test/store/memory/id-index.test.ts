import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { idIndex } from '../../../store/memory/id-index.ts'

const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n]
const int64 = fc.oneof(fc.bigInt({ min, max }), fc.bigInt({ min: -3n, max: 3n }), fc.constantFrom(min, max, 2n ** 32n))
const indexOf = (ids: readonly bigint[]) => {
  const { duplicates, find } = idIndex(BigInt64Array.from(ids))
  return { duplicates: [...duplicates], find }
}

t.test('every id is found at its position, in whatever order ids come, and no other', async (t) => {
  const far = [min, min + 1n, -(2n ** 32n) - 1n, -1n, 0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n + 1n, max]
  const shuffled = [5, 0, 10, 3, 8, 1, 6, 9, 2, 7, 4].map((at) => far[at] as bigint)
  for (const ids of [[], [7n], far, far.toReversed(), shuffled]) {
    const { duplicates, find } = indexOf(ids)
    t.strictSame(duplicates, [])
    t.strictSame(ids.map(find), [...ids.keys()])
    t.strictSame([2n, -2n, 2n ** 53n, max - 1n, max + 1n, min - 1n].map(find), Array(6).fill(undefined))
  }
})

t.test('an index finds what a Map finds', async (t) => {
  const ids = fc.uniqueArray(int64, { maxLength: 200 })
  const same = fc.property(ids, fc.array(int64), (ids, others) => {
    const positions = new Map(ids.map((id, position) => [id, position]))
    const { find } = indexOf(ids)
    for (const id of [...ids, ...others]) assert.equal(find(id), positions.get(id))
  })
  t.doesNotThrow(() => fc.assert(same))
})

t.test('of equal ids each is named with the one before it', async (t) => {
  t.strictSame(indexOf([5n, max, 5n, min, 5n, min]).duplicates, [
    { id: min, earlier: 3, later: 5 },
    { id: 5n, earlier: 0, later: 2 },
    { id: 5n, earlier: 2, later: 4 },
  ])
  t.strictSame(indexOf([1n, 2n, 2n]).duplicates, [{ id: 2n, earlier: 1, later: 2 }])
})
