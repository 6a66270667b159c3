import t from 'tap'
import { lazy, memoize } from '../src/static/memoize.ts'

t.test('values are kept, of many those that were used last, and failures are not', async (t) => {
  const made: string[] = []
  const make = (key: string) => {
    made.push(key)
    return key === 'bad' ? Promise.reject(new Error('it failed')) : key
  }
  const oneOfTwo = memoize(make, 2)
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) t.equal(oneOfTwo(key), key)
  t.strictSame(made.splice(0), ['a', 'b', 'c', 'b'])
  for (const _try of [1, 2]) await t.rejects(oneOfTwo('bad') as Promise<string>, { message: 'it failed' })
  t.strictSame(made.splice(0), ['bad', 'bad'])
  const keys = Array.from({ length: 64 }, (_, at) => `${at}`)
  const oneOfMany = memoize(make)
  for (const key of [...keys, ...keys, 'more', '0']) void oneOfMany(key)
  t.strictSame(made.splice(0), [...keys, 'more', '0'])
  const once = lazy(() => make('once'))
  t.strictSame([once(), once(), made], ['once', 'once', ['once']])
  const failing = lazy(() => (made.push('again') > 2 ? 'it works' : Promise.reject(new Error('it failed'))))
  await t.rejects(failing() as Promise<string>, { message: 'it failed' })
  t.strictSame([failing(), failing()], ['it works', 'it works'])
})
