import t from 'tap'
import { judge } from './judge.js'
import { ledger } from './load.js'

t.test('answers that agree with the database are no contradiction', async (t) => {
  const book = ledger()
  for (const what of ['won', 'gone', 'unknown'] as const) book.note(1, what)
  book.note(2, 'shipped')
  book.note(3, 'unknown')
  const rows = [
    { id: '1', status: 'cancelled' },
    { id: '2', status: 'shipped' },
    { id: '3', status: 'cancelled' },
  ]
  t.strictSame(judge(book, rows), [])
})

t.test('each kind of contradiction is found', async (t) => {
  const book = ledger()
  for (const [id, what] of [
    [1, 'won'],
    [1, 'won'],
    [2, 'won'],
    [3, 'gone'],
    [4, 'shipped'],
    [5, 'missing'],
  ] as const)
    book.note(id, what)
  book.violations.push('order 6 was listed after it was known to be cancelled')
  const statuses = ['cancelled', 'pending', 'shipped', 'cancelled', 'pending']
  t.strictSame(
    judge(
      book,
      statuses.map((status, index) => ({ id: String(index + 1), status })),
    ),
    [
      'order 6 was listed after it was known to be cancelled',
      'order 1 was cancelled 2 times',
      'order 2 was told to be cancelled and is pending',
      'order 3 was told to be cancelled and is shipped',
      'order 4 was told to be shipped and is cancelled',
      'order 5 stands in the database, and a client was told that it never was',
    ],
  )
})
