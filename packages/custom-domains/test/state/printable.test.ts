import t from 'tap'
import { printable } from '../../src/state/printable.ts'

t.test('text from the network is printable, and bounded', async (t) => {
  t.equal(printable('docs.bücher.test 本🙂'), 'docs.bücher.test 本🙂')
  t.equal(printable('\u001b[31mred\u001b[0m\u0007'), '\ufffd[31mred\ufffd[0m\ufffd')
  t.equal(printable('a\u202eb\u2066c\u200bd\u2028e\ud800f'), 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf')
  t.equal(printable('x'.repeat(900)), `${'x'.repeat(500)}…`)
  t.strictSame([printable('abc', 2), printable('abc', 3)], ['ab…', 'abc'])
})
