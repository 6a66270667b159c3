import { Readable } from 'node:stream'
import t from 'tap'
import { SplitError, splitArray, splitLines, type Take } from '../../../store/memory/split.ts'

/** A stream of the bytes of `text`, so many at once. */
function streamOf(text: string, size = Number.POSITIVE_INFINITY): Readable {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  return Readable.from(size < bytes.length ? chunks : [bytes], { objectMode: false })
}

async function piecesOf(split: (source: Readable, take: Take) => Promise<void>, source: Readable) {
  const pieces: [text: string, line: number][] = []
  await split(source, (text, line) => pieces.push([text, line]))
  return pieces
}

t.test('lines are taken with their numbers, however the bytes come', async (t) => {
  const text = '\uFEFF{"a":"\u{1F436}"}\n\n \t\r\n{"\u00E9":1}\r\n[1,\n2]\nx'
  for (let size = 1; size <= Buffer.byteLength(text); size++) {
    t.strictSame(
      await piecesOf(splitLines, streamOf(text, size)),
      [
        ['{"a":"\u{1F436}"}', 1],
        ['{"\u00E9":1}\r', 4],
        ['[1,', 5],
        ['2]', 6],
        ['x', 7],
      ],
      `${size} bytes at once`,
    )
  }
})

t.test('elements of an array are taken with the lines in which they begin, however the bytes come', async (t) => {
  const text = '\uFEFF\n[ {"a":"\u{1F436}, ]"},\r\n{"\u00E9":\n[{}]}\n,[[1],\n{}], 1e3,"\\"]"\n, null,{},-0 ]\n'
  for (let size = 1; size <= Buffer.byteLength(text); size++) {
    t.strictSame(
      await piecesOf(splitArray, streamOf(text, size)),
      [
        ['{"a":"\u{1F436}, ]"}', 2],
        ['{"\u00E9":\n[{}]}', 3],
        ['[[1],\n{}]', 5],
        ['1e3', 6],
        ['"\\"]"', 6],
        ['null', 7],
        ['{}', 7],
        ['-0', 7],
      ],
      `${size} bytes at once`,
    )
  }
})

t.test('an array may be empty, a file may not', async (t) => {
  t.strictSame(await piecesOf(splitArray, streamOf(' [ ]\n')), [])
  const error = new Error('the file is empty: for no orders, write [] in a .json file')
  for (const split of [splitArray, splitLines]) {
    for (const text of ['', '\uFEFF', ' \r\n\n']) await t.rejects(piecesOf(split, streamOf(text)), error)
  }
})

t.test('a file that is no array in JSON is refused with the line, and nothing is taken', async (t) => {
  const cases: [text: string, line: number, message: string][] = [
    ['\n{"id":1}', 1, 'the file must hold an array of orders'],
    ['[{"id":1}\n{"id":2}]', 2, 'not JSON: comma expected'],
    ['[{"id":1},\n\n]', 3, 'not JSON: value expected'],
    ['[{"id":1},\n{"id":2}\n', 3, 'not JSON: close bracket expected'],
    ['[\r\n{"id":1}\r\n]\r\n[]', 4, 'not JSON: end of file expected'],
    ['[\n// one\n{"id":1}]', 2, 'not JSON: invalid comment token'],
    ['[\n{"id":tru}]', 2, 'not JSON: invalid symbol'],
    ['[\n\n{"id:1}]', 3, 'not JSON: unexpected end of string'],
  ]
  for (const [text, line, message] of cases) {
    const error = await splitArray(streamOf(text), () => t.fail('nothing is to be taken')).catch((error) => error)
    t.type(error, SplitError)
    t.strictSame({ line: error.line, message: error.message }, { line, message })
  }
})
