import t from 'tap'
import { splitArray } from '../../../store/file/split-array.ts'
import { splitLines } from '../../../store/file/split-lines.ts'
import { ORDER_MAX, type Split } from '../../../store/file/splitter.ts'

type Piece = [text: string, line: number]

/** What is taken and what is reported of a text whose bytes come so many at once. */
function resultOf(split: Split, text: string, size = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text)
  const chunkSize = Math.min(size, bytes.length)
  const taken: Piece[] = []
  const reported: [line: number, message: string][] = []
  const splitter = split(
    (chunk, start, end, line) => taken.push([chunk.toString('utf8', start, end).trimEnd(), line]),
    (...mistake) => reported.push(mistake),
  )
  const buffer = Buffer.alloc(chunkSize) // for all chunks, as a reader of files has it
  for (let at = 0; at < bytes.length; at += chunkSize) {
    const length = bytes.copy(buffer, 0, at, at + chunkSize)
    if (!splitter.write(buffer.subarray(0, length))) return { taken, reported, isOver: true }
  }
  splitter.end()
  return { taken, reported, isOver: false }
}

t.test('lines are taken with their numbers, however the bytes come', async (t) => {
  const text = '\uFEFF{"a":"\u{1F436}"}\n\n \t\r\n{"\u00E9":1}\r\n[1,\n2]\nx'
  const taken: Piece[] = [
    ['{"a":"\u{1F436}"}', 1],
    ['{"\u00E9":1}', 4],
    ['[1,', 5],
    ['2]', 6],
    ['x', 7],
  ]
  for (let size = 1; size <= Buffer.byteLength(text); size++) {
    t.strictSame(resultOf(splitLines, text, size), { taken, reported: [], isOver: false }, `${size} bytes at once`)
  }
})

t.test('elements of an array are taken with the lines in which they begin, however the bytes come', async (t) => {
  const text = '\uFEFF\n[ {"a":"\u{1F436}, ]"},\r\n{"\u00E9":\n[{}]}\n,[[1],\n{}], 1e3,"\\"]"\n,"\\\\", null,{},-0 ]\n'
  const taken: Piece[] = [
    ['{"a":"\u{1F436}, ]"}', 2],
    ['{"\u00E9":\n[{}]}', 3],
    ['[[1],\n{}]', 5],
    ['1e3', 6],
    ['"\\"]"', 6],
    ['"\\\\"', 7],
    ['null', 7],
    ['{}', 7],
    ['-0', 7],
  ]
  for (let size = 1; size <= Buffer.byteLength(text); size++) {
    t.strictSame(resultOf(splitArray, text, size), { taken, reported: [], isOver: false }, `${size} bytes at once`)
  }
})

t.test('an array may be empty, a file may not', async (t) => {
  t.strictSame(resultOf(splitArray, ' [ ]\n'), { taken: [], reported: [], isOver: false })
  const error = new Error('the file is empty: for no orders, write [] in a .json file')
  for (const split of [splitArray, splitLines]) {
    for (const text of ['', '\uFEFF', ' \r\n\n']) t.throws(() => resultOf(split, text), error)
  }
})

t.test('a file that is no array in JSON is read up to the mistake, which has its line', async (t) => {
  const hasNoEnd = 'not JSON: the array has no ] at its end'
  const cases: [text: string, taken: Piece[], line: number, message: string][] = [
    ['\n{"id":1}', [], 2, 'the file must hold an array of orders, [ first'],
    ['[{"id":1},\n\n]', [['{"id":1}', 1]], 3, 'not JSON: an order expected'],
    ['[\n,{"id":1}]', [], 2, 'not JSON: an order expected'],
    ['[\r\n{"id":1}\r\n]\r\n[]', [['{"id":1}', 2]], 4, 'not JSON: the file goes on behind the ] of its array'],
    ['[\n', [], 2, hasNoEnd],
    ['[{"id":1},\n', [['{"id":1}', 1]], 2, hasNoEnd],
    ['[{"id":1}\n', [['{"id":1}', 1]], 2, hasNoEnd],
    ['[\n{"id":', [['{"id":', 2]], 2, hasNoEnd],
  ]
  for (const [text, taken, line, message] of cases) {
    for (const size of [1, 1000]) {
      const result = resultOf(splitArray, text, size)
      t.strictSame({ taken: result.taken, reported: result.reported }, { taken, reported: [[line, message]] }, text)
    }
  }
})

t.test('where an element is broken it is taken as it is, and nothing behind it', async (t) => {
  const cases: [text: string, taken: Piece][] = [
    ['[\n{"id":[1},{"id":2}]', ['{"id":[1}', 2]],
    ['[{"id":1]},{"id":2}]', ['{"id":1]', 1]],
    ['[\n}]', ['}', 2]],
    ['[{"id":"1},\n{"id":"2"}]', ['{"id":"1},', 1]],
  ]
  for (const [text, taken] of cases) {
    for (const size of [1, 1000]) {
      t.strictSame(resultOf(splitArray, text, size), { taken: [taken], reported: [], isOver: true }, text)
    }
  }
})

t.test('an order may take a mebibyte, and no more', async (t) => {
  const longest = `"${'x'.repeat(ORDER_MAX - 2)}"`
  const tooLong = `"${'x'.repeat(ORDER_MAX - 1)}"`
  for (const size of [100_000, 4_000_000]) {
    t.strictSame(resultOf(splitLines, `\n${longest}\n`, size).taken, [[longest, 2]])
    t.strictSame(resultOf(splitLines, `1\n${tooLong}\n2`, size), {
      taken: [['1', 1]],
      reported: [[2, 'the line is longer than 1 MiB: write an order a line, or an array of orders in a .json file']],
      isOver: true,
    })
    t.strictSame(resultOf(splitArray, `[\n${longest}]`, size).taken, [[longest, 2]])
    t.strictSame(resultOf(splitArray, `[1,\n${tooLong},2]`, size), {
      taken: [['1', 1]],
      reported: [[2, 'this order is longer than 1 MiB: look for a quote or a bracket that is not closed']],
      isOver: true,
    })
  }
  t.strictSame(resultOf(splitLines, tooLong).reported.length, 1, 'in a line without end')
  t.strictSame(resultOf(splitArray, `[${tooLong}`).reported.length, 1)
})

t.test('any space may stand between orders', async (t) => {
  const space = ' '.repeat(2 * ORDER_MAX)
  t.strictSame(resultOf(splitArray, `[${space}1${space.slice(0, 9)},${space}2]${space}`, 65_536).taken, [
    ['1', 1],
    ['2', 1],
  ])
})
