import t from 'tap'
import { corrected, stem, stemsOf, wordsOf } from '../browser/search-words.js'

t.test('numbers are no forms of each other', async (t) => {
  for (const number of ['66', '400', '1000', '2.11']) t.equal(stem(number), number)
})

t.test('forms of a word have the same stem', async (t) => {
  for (const forms of [
    ['cancel', 'Cancelled', 'canceled', 'cancellation', 'cancels', 'cancelling'],
    ['retry', 'retries'],
    ['pet', 'pets'],
    ['key', 'keys'],
    ['the', 'The'],
  ])
    t.equal(new Set(forms.map(stem)).size, 1, forms.join())
})

t.test('a name is found by its parts, and a text without spaces from any character on', async (t) => {
  t.strictSame(stemsOf('orderId'), ['orderid', 'order', 'id'])
  t.strictSame(stemsOf('注文'), ['注文', '文'])
})

t.test('words that say nothing are left out, unless there are no others', async (t) => {
  t.strictSame(wordsOf('How do I cancel an order?'), ['cancel', 'order'])
  t.strictSame(wordsOf('how to'), ['how', 'to'])
})

t.test('a word that the page lacks is read as two words, or with two letters swapped', async (t) => {
  const vocabulary = new Set(['rat', 'limit', 'order'])
  for (const [typed, stems] of [
    ['ratelimit', ['rat', 'limit']],
    ['oredr', ['order']],
    ['orders', ['order']],
    ['nothing', ['noth']],
  ] as const)
    t.strictSame(corrected(typed, vocabulary), stems, typed)
})
