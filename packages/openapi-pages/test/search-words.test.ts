import t from 'tap'
import { corrected, stem, stemsOf, wordsOf } from '../browser/search-words.js'

/** Not typed here: the types of browsers are those of another configuration. */
const { excerpt, foundIn, split } = await import(new URL('../browser/search-text.js', import.meta.url).href)

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

t.test('a result marks its words, and shows what stands around the first of them, in whole words', async (t) => {
  t.strictSame(split('Retry a retried call.', ['retri']), ['', 'Retry', ' a ', 'retried', ' call.'])
  const [before, after] = ['one '.repeat(20), ' two'.repeat(40)]
  t.equal(excerpt(`${before}found${after}`, ['found']), `… ${'one '.repeat(8)}found${' two'.repeat(18)} …`)
  t.equal(excerpt(`${'one '.repeat(9)}found it.`, ['found']), `${'one '.repeat(9)}found it.`)
  t.equal(excerpt(`${before}two${after}`, ['nowhere']), `${'one '.repeat(20)}two${' two'.repeat(6)} …`)
})

t.test('a result that only its synonyms have names them', async (t) => {
  const hit = { title: 'Cancel', text: 'Ends an order.', synonyms: 'delete, revoke, cancellation' }
  const found = (term: string) => foundIn({ ...hit, terms: [stem(term)] })
  t.strictSame([found('cancel'), found('orders')], [hit.text, hit.text])
  t.equal(found('revoke'), 'Also called: delete, revoke, cancellation')
  t.equal(foundIn({ ...hit, synonyms: '', terms: ['no'] }), hit.text)
})
