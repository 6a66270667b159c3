import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { copyOf, keysThatDiffer } from '../../src/state/layered-map.ts'

type Change = ['set', string, number] | ['delete', string] | ['clear'] | ['copy']

const key = fc.nat(20).map(String)
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(fc.constant('set' as const), key, fc.nat(3)) },
  { weight: 10, arbitrary: fc.tuple(fc.constant('delete' as const), key) },
  { weight: 1, arbitrary: fc.constant<Change>(['clear']) },
  { weight: 5, arbitrary: fc.constant<Change>(['copy']) },
)

function apply(map: Map<string, number>, [kind, key = '', value]: Change): unknown {
  if (kind === 'set') return map.set(key, value as number).size
  return kind === 'delete' ? map.delete(key) : kind === 'clear' && map.clear()
}

function shownOf(map: Map<string, number>, keys: string[]) {
  const listed: unknown[] = []
  map.forEach((value, key) => void listed.push([key, value]))
  const found = keys.map((key) => [map.get(key), map.has(key)])
  return [[...map], [...map.keys()], [...map.values()], map.size, listed, found]
}

t.test('a copy is like a map, its original stays, and the keys that differ are found', async (t) => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(fc.uniqueArray(key), fc.array(change, { maxLength: 200 }), async (keys, changes) => {
        const first = new Map(keys.map((key) => [key, 0]))
        let [original, copy, model]: Map<string, number>[] = [first, copyOf(first), new Map(first)]
        let before = [...first]
        for (const each of changes) {
          if (each[0] === 'copy') {
            before = [...(copy as Map<string, number>)]
            original = copy
            copy = copyOf(original as Map<string, number>)
          } else assert.equal(apply(copy as Map<string, number>, each), apply(model as Map<string, number>, each))
          const [was, is, expected] = [original, copy, model] as [typeof first, typeof first, typeof first]
          assert.deepEqual(shownOf(is, keys), shownOf(expected, keys))
          const all = new Set([...was.keys(), ...is.keys()])
          const differing = [...all].filter((key) => was.get(key) !== is.get(key))
          assert.deepEqual(keysThatDiffer(was, is).sort(), differing.sort())
          assert.deepEqual([...was], before)
        }
      }),
      { numRuns: 300 },
    ),
  )
})

t.test('a change while a map is read is seen as in any map', async (t) => {
  const map = copyOf(new Map([...'abc'].map((key) => [key, 0])))
  const seen: string[] = []
  for (const [key] of map) {
    seen.push(key)
    if (key === 'a') map.delete('b')
    if (key === 'c') map.set('d', 1).set('a', 2)
  }
  t.strictSame([seen.join(), [...map].join()], ['a,c,d', 'a,2,c,0,d,1'])
})

t.test('what a copy costs does not grow with the number of entries', async (t) => {
  let read = 0
  class Counted extends Map<string, number> {
    override *[Symbol.iterator](): MapIterator<[string, number]> {
      for (const entry of super.entries()) {
        read++
        yield entry
      }
    }
  }
  let map: Map<string, number> = new Counted(Array.from({ length: 10_000 }, (_, index) => [`${index}`, 0]))
  const change = (count: number, value: number) => {
    for (let index = 0; index < count; index++) {
      const copy = copyOf(map)
      copy.set(`${index}`, value)
      t.strictSame(keysThatDiffer(map, copy), [`${index}`])
      map = copy
    }
  }
  change(90, 1)
  t.equal(read, 0)
  change(400, 2)
  t.ok(read <= 20_000, 'for all of these')
  t.equal([...map.values()].filter((value) => value === 2).length, 400)
})
