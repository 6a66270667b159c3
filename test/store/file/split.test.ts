import assert from 'node:assert/strict'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { arraySplitter, lineSplitter, RECORD_MAX, type SourceRecord, SplitError } from '../../../store/file/split.ts'

/** The records, and the error, of a text in chunks of this size. */
function split(splitter: typeof lineSplitter, text: string, size = text.length) {
  const { write, end } = splitter()
  const records: SourceRecord[] = []
  try {
    for (let at = 0; at < text.length; at += size)
      for (const record of write(text.slice(at, at + size))) records.push(record)
    for (const record of end()) records.push(record)
  } catch (error) {
    if (!(error instanceof SplitError)) throw error
    return { records, error: { line: error.line, message: error.message } }
  }
  return { records, error: undefined }
}

const recordsOf = (...records: (readonly [text: string, line: number])[]) =>
  records.map(([text, line]) => ({ text, line }))

t.test('lines have their numbers, whatever the chunks', async (t) => {
  const text = '\uFEFF{"a":"\u{1F436}"}\n\n \t\r\n{"\u00E9":1}\r\n[1,\n2]\nx'
  const records = recordsOf(['{"a":"\u{1F436}"}', 1], ['{"\u00E9":1}', 4], ['[1,', 5], ['2]', 6], ['x', 7])
  for (let size = 1; size <= text.length; size++)
    t.strictSame(split(lineSplitter, text, size), { records, error: undefined }, `chunks of ${size}`)
})

t.test('random cuts of random lines change nothing', async (t) => {
  const parts = fc.constantFrom('{"a":"b c"}', '"', ' ', '\t', '\r', '\uFEFF', '\u{1F436}', 'x y', '\n')
  const text = fc.array(parts, { maxLength: 36 }).map((parts) => parts.join(''))
  const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 6 })
  const same = fc.property(text, cuts, (text, cuts) => {
    const { write, end } = lineSplitter()
    const ends = [...cuts.toSorted((a, b) => a - b), text.length]
    const records = ends.flatMap((end, at) => [...write(text.slice(ends[at - 1] ?? 0, end))]).concat(...end())
    assert.deepEqual(records, split(lineSplitter, text).records)
  })
  t.doesNotThrow(() => fc.assert(same, { numRuns: 300 }))
})

t.test('orders of an array have the line on which they begin, whatever the chunks', async (t) => {
  const text = '\uFEFF\n[ {"a":"\u{1F436}, ]}"},\r\n{"\u00E9":\n[]}\n,{\n},\n {"\\"]":"\\\\"},{"a":[1},{ \n\n} ]\n'
  const [first, second] = [['{"a":"\u{1F436}, ]}"}', 2] as const, ['{"\u00E9":\n[]}', 3] as const]
  const onOneLine = ['{"\\"]":"\\\\"}', '{"a":[1}', '{ \n\n}'].map((text) => [text, 7] as const)
  const records = recordsOf(first, second, ['{\n}', 5], ...onOneLine)
  for (let size = 1; size <= text.length; size++)
    t.strictSame(split(arraySplitter, text, size), { records, error: undefined }, `chunks of ${size}`)
})

t.test('a text that is not an array of orders is split up to the error, which has its line', async (t) => {
  const unclosed = 'not JSON: the array has no ] at its end'
  const broken = 'not JSON, or an order with an object in it: look for a quote or a brace that is not closed'
  const cases: [text: string, records: SourceRecord[], line: number, message: string][] = [
    ['\n{"id":1}', [], 2, 'the file must contain an array of orders, beginning with ['],
    ['\nid', [], 2, 'the file must contain an array of orders, beginning with ['],
    ['[{},\n\n]', recordsOf(['{}', 1]), 3, 'not JSON: an order expected'],
    ['[\n,{}]', [], 2, 'not JSON: an order expected'],
    ['[{},\n1]', recordsOf(['{}', 1]), 2, 'not JSON: an order expected'],
    ['[[{}]]', [], 1, 'not JSON: an order expected'],
    ['[{}\n{}]', recordsOf(['{}', 1]), 2, 'not JSON: a comma or the ] of the array expected'],
    ['[{}}\n]', recordsOf(['{}', 1]), 1, 'not JSON: a comma or the ] of the array expected'],
    ['[\r\n{}\r\n]\r\n[]', recordsOf(['{}', 2]), 4, 'not JSON: the file continues after the ] of its array'],
    ['[]\nx', [], 2, 'not JSON: the file continues after the ] of its array'],
    ['[\n', [], 2, unclosed],
    ['[{},\n', recordsOf(['{}', 1]), 2, unclosed],
    ['[{}\n', recordsOf(['{}', 1]), 2, unclosed],
    ['[\n{"id":', [], 2, broken],
    ['[{},\n{"id":{"a":1}},\n{}]', recordsOf(['{}', 1]), 2, broken],
    ['[{"id":"1},\n{"id":"2"}]', [], 1, broken],
  ]
  for (const [text, records, line, message] of cases) {
    for (const size of [1, 1000])
      t.strictSame(split(arraySplitter, text, size), { records, error: { line, message } }, text)
  }
})

t.test('an order can have up to 1 MiB', async (t) => {
  const longest = `{"${'x'.repeat(RECORD_MAX - 4)}"}`
  const tooLong = `{"${'x'.repeat(RECORD_MAX - 2)}`
  const longLine = 'the line is longer than 1 MiB: write an order per line, or an array in a .json file'
  const longOrder = 'this order is longer than 1 MiB: look for a quote or a brace that is not closed'
  for (const size of [100_000, 4_000_000]) {
    t.strictSame(split(lineSplitter, `\n${longest}\n`, size).records, recordsOf([longest, 2]))
    const records = recordsOf(['{}', 1])
    const [ofLine, ofOrder] = [longLine, longOrder].map((message) => ({ records, error: { line: 2, message } }))
    t.strictSame(split(lineSplitter, `{}\n${tooLong}x\n2`, size), ofLine)
    t.strictSame(split(arraySplitter, `[\n${longest}]`, size).records, recordsOf([longest, 2]))
    t.strictSame(split(arraySplitter, `[{},\n${tooLong}x,{}]`, size), ofOrder)
  }
  t.equal(split(lineSplitter, `${tooLong}x`).error?.message, longLine, 'an endless line')
})

t.test('any white space can separate orders, and be all of an array', async (t) => {
  const space = ' '.repeat(2 * RECORD_MAX)
  const records = recordsOf(['{}', 1], ['{ }', 1])
  t.strictSame(split(arraySplitter, `[${space}{}${space.slice(0, 9)},${space}{ }]${space}`, 65_536).records, records)
  t.strictSame(split(arraySplitter, ' [ ]\n'), { records: [], error: undefined })
})
