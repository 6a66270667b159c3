import t from 'tap'
import { parseExact } from '../../client/json.ts'

t.test('an int64 is a bigint, any other number a number', async (t) => {
  const text = '{"id":9223372036854775807,"petId":1,"status":404,"quantity":-2,"share":0.5,"none":null,"list":[1]}'
  t.strictSame(parseExact(text), {
    id: 9223372036854775807n,
    petId: 1n,
    status: 404,
    quantity: -2,
    share: 0.5,
    none: null,
    list: [1],
  })
})

t.test('everything that is parsed is frozen', async (t) => {
  const list = parseExact('[{"id":1},[],[1]]') as object[]
  t.ok([list, ...list].every(Object.isFrozen))
})

t.test('a number that is no integer, or longer than an int64, is no bigint', async (t) => {
  const text = '[{"id":1.5},{"id":1e3},{"id":-0},{"id":99999999999999999999}]'
  t.strictSame(parseExact(text), [{ id: 1.5 }, { id: 1000 }, { id: 0n }, { id: 1e20 }])
})

t.test('text that is not JSON is refused', async (t) => {
  for (const text of ['<html>', '', '[1', '{"id":1,"id":2}']) {
    t.throws(() => parseExact(text), SyntaxError, text)
  }
})
