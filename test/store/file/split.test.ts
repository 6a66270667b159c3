import t from 'tap'
import { arraySplitter, lineSplitter, type Piece, RECORD_MAX, SplitError } from '../../../store/file/split.ts'

/** The records, and the error, of a text in chunks of this size. */
function split(splitter: typeof lineSplitter, text: string, size = text.length) {
  const { write, end } = splitter()
  const pieces: Piece[] = []
  try {
    for (let at = 0; at < text.length; at += size)
      for (const piece of write(text.slice(at, at + size))) pieces.push(piece)
    for (const piece of end()) pieces.push(piece)
  } catch (error) {
    if (!(error instanceof SplitError)) throw error
    return { pieces, error: { line: error.line, message: error.message } }
  }
  return { pieces, error: undefined }
}

const piecesOf = (...pieces: [text: string, line: number][]) => pieces.map(([text, line]) => ({ text, line }))

t.test('lines have their numbers, whatever the chunks', async (t) => {
  const text = '\uFEFF{"a":"\u{1F436}"}\n\n \t\r\n{"\u00E9":1}\r\n[1,\n2]\nx'
  const pieces = piecesOf(['{"a":"\u{1F436}"}', 1], ['{"\u00E9":1}', 4], ['[1,', 5], ['2]', 6], ['x', 7])
  for (let size = 1; size <= text.length; size++) {
    t.strictSame(split(lineSplitter, text, size), { pieces, error: undefined }, `chunks of ${size}`)
  }
})

t.test('elements of an array have the line on which they begin, whatever the chunks', async (t) => {
  const text = '\uFEFF\n[ {"a":"\u{1F436}, ]"},\r\n{"\u00E9":\n[{}]}\n,[[1],\n{}], 1e3,"\\"]"\n,"\\\\", null,{},-0 ]\n'
  const pieces = piecesOf(
    ['{"a":"\u{1F436}, ]"}', 2],
    ['{"\u00E9":\n[{}]}', 3],
    ['[[1],\n{}]', 5],
    ['1e3', 6],
    ['"\\"]"', 6],
    ['"\\\\"', 7],
    ['null', 7],
    ['{}', 7],
    ['-0', 7],
  )
  for (let size = 1; size <= text.length; size++) {
    t.strictSame(split(arraySplitter, text, size), { pieces, error: undefined }, `chunks of ${size}`)
  }
})

t.test('an array may be empty', async (t) => {
  t.strictSame(split(arraySplitter, ' [ ]\n'), { pieces: [], error: undefined })
})

t.test('a text that is not a JSON array is split up to the error, which has its line', async (t) => {
  const unclosed = 'not JSON: the array has no ] at its end'
  const cases: [text: string, pieces: Piece[], line: number, message: string][] = [
    ['\n{"id":1}', [], 2, 'the file must contain an array of orders, beginning with ['],
    ['[{"id":1},\n\n]', piecesOf(['{"id":1}', 1]), 3, 'not JSON: an order expected'],
    ['[\n,{"id":1}]', [], 2, 'not JSON: an order expected'],
    ['[\r\n1\r\n]\r\n[]', piecesOf(['1', 2]), 4, 'not JSON: the file continues after the ] of its array'],
    ['[\n', [], 2, unclosed],
    ['[1,\n', piecesOf(['1', 1]), 2, unclosed],
    ['[1\n', piecesOf(['1', 1]), 2, unclosed],
    ['[\n{"id":', piecesOf(['{"id":', 2]), 2, unclosed],
    ['[\n{"id":[1},{"id":2}]', piecesOf(['{"id":[1},{"id":2}]', 2]), 2, unclosed],
    ['[{"id":1]},\n{"id":2}]', piecesOf(['{"id":1]', 1]), 1, 'not JSON: the file continues after the ] of its array'],
    ['[{"id":"1},\n{"id":"2"}]', [], 1, 'not JSON: a string has no closing quote'],
  ]
  for (const [text, pieces, line, message] of cases) {
    for (const size of [1, 1000]) {
      t.strictSame(split(arraySplitter, text, size), { pieces, error: { line, message } }, text)
    }
  }
})

t.test('an order may take a mebibyte, and no more', async (t) => {
  const longest = `"${'x'.repeat(RECORD_MAX - 2)}"`
  const tooLong = `"${'x'.repeat(RECORD_MAX - 1)}"`
  const longLine = 'the line is longer than 1 MiB: write an order per line, or an array in a .json file'
  const longOrder = 'this order is longer than 1 MiB: look for a quote or a bracket that is not closed'
  for (const size of [100_000, 4_000_000]) {
    t.strictSame(split(lineSplitter, `\n${longest}\n`, size).pieces, piecesOf([longest, 2]))
    t.strictSame(split(lineSplitter, `1\n${tooLong}\n2`, size), {
      pieces: piecesOf(['1', 1]),
      error: { line: 2, message: longLine },
    })
    t.strictSame(split(arraySplitter, `[\n${longest}]`, size).pieces, piecesOf([longest, 2]))
    t.strictSame(split(arraySplitter, `[1,\n${tooLong},2]`, size), {
      pieces: piecesOf(['1', 1]),
      error: { line: 2, message: longOrder },
    })
  }
  t.equal(split(lineSplitter, tooLong).error?.message, longLine, 'a line without an end')
  t.equal(split(arraySplitter, `[${tooLong}`).error?.message, longOrder, 'an order without an end')
})

t.test('any space may separate orders', async (t) => {
  const space = ' '.repeat(2 * RECORD_MAX)
  const pieces = piecesOf(['1', 1], ['2', 1])
  t.strictSame(split(arraySplitter, `[${space}1${space.slice(0, 9)},${space}2]${space}`, 65_536).pieces, pieces)
})
