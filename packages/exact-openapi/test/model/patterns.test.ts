import t from 'tap'
import { patternOf } from '../../src/model/index.ts'

t.test('a pattern with classes of Unicode is never read without them', async (t) => {
  t.ok(patternOf("^[\\p{L}\\' ]+$").test("Anna's"))
  t.throws(() => patternOf('[\\p{L}'), SyntaxError)
  t.ok(patternOf('^a{,2}$').test('a{,2}'), 'other texts are')
})

t.test('a hyphen may be escaped anywhere', async (t) => {
  t.ok(patternOf('^[a\\-c]\\-$').test('--'))
  t.notOk(patternOf('^[a\\-c]\\-$').test('b-'))
})
