import t from 'tap'
import { parseExact, parseNumber } from '../../src/contract/json.ts'

t.test('a number keeps its value, or is refused by its first digits', async (t) => {
  t.equal(parseNumber(`1${'0'.repeat(305)}.0`), 1e305)
  t.equal(parseNumber('0.10000000000000001'), 0.1)
  for (const text of ['0.100000000000000011', `0.${'1'.repeat(400)}`]) {
    const message = `The number ${text.slice(0, 40)} has more digits than a double holds.`
    t.throws(() => parseNumber(text), { message })
  }
})

t.test('a name is not repeated within an object, and a text may look like one', async (t) => {
  t.strictSame(parseExact('{"a:\\":":{"b":"c:"}}'), { 'a:":': { b: 'c:' } })
  t.throws(() => parseExact('{"a":{"b":1,"b":1}}'), { message: /repeats a name/ })
})
