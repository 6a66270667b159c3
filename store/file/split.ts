// Splits the text of an orders file into records, and buffers one at a time. Whether a record is valid is checked when
// it is parsed.

export interface SourceRecord {
  text: string
  /** The line on which it begins, from 1. */
  line: number
}

interface Splitter {
  /** The records that this chunk completes. @throws SplitError */
  write(chunk: string): Iterable<SourceRecord>
  /** The last record. @throws SplitError */
  end(): Iterable<SourceRecord>
}

/** Nothing after this error can be split. */
export class SplitError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** The longest record, in characters. A valid one takes about 200. */
export const RECORD_MAX = 1024 * 1024

/** NDJSON: one order per line. Blank lines are skipped. */
export function lineSplitter(): Splitter {
  let rest = ''
  let line = 1

  function* recordsOf(texts: readonly string[]): Generator<SourceRecord> {
    for (const text of texts) {
      const record = begun(text).trimEnd()
      if (record !== '') yield { text: record, line }
      line++
    }
  }

  /** The text of a line, without a byte order mark or space before it. */
  function begun(text: string): string {
    const record = text.trimStart()
    if (record.length <= RECORD_MAX) return record
    throw new SplitError(line, 'the line is longer than 1 MiB: write an order per line, or an array in a .json file')
  }

  return {
    *write(chunk) {
      const texts = (rest + chunk).split('\n')
      rest = texts.pop() as string
      yield* recordsOf(texts)
      rest = begun(rest) // the space at its end may be within a string
    },
    end: () => recordsOf([rest]),
  }
}

/** A bracket, a comma or an order: an object without objects in it, whose strings end on their line. */
const token = /\s*([[\],]|\{[^{}"]*(?:"[^"\\\n]*(?:\\.[^"\\\n]*)*"[^{}"]*)*\})/y

/** Which tokens may follow one that begins with a character, and the error for any other. */
const grammar: Record<string, readonly [follows: string, error: string]> = {
  '': ['[', 'the file must contain an array of orders, beginning with ['],
  '[': ['{]', 'not JSON: an order expected'],
  '{': [',]', 'not JSON: a comma or the ] of the array expected'],
  ',': ['{', 'not JSON: an order expected'],
  ']': ['', 'not JSON: the file continues after the ] of its array'],
}

const linesIn = (text: string) => text.split('\n').length - 1

/** A JSON array of objects. */
export function arraySplitter(): Splitter {
  let rest = ''
  let line = 1
  let last = ''

  /** @throws SplitError unless a token that begins with this character may follow */
  function expect(first: string) {
    const [follows, error] = grammar[last] as (typeof grammar)[string]
    if (!follows.includes(first)) throw new SplitError(line, error)
  }

  return {
    *write(chunk) {
      rest += chunk
      let at = 0
      token.lastIndex = 0
      for (let match = token.exec(rest); match; match = token.exec(rest)) {
        const [whole, text] = match as unknown as [string, string]
        const end = token.lastIndex
        line += linesIn(whole.slice(0, -text.length))
        const first = text.charAt(0)
        expect(first)
        last = first
        if (first === '{') yield { text, line }
        line += linesIn(text)
        at = end
        token.lastIndex = end
      }
      const space = /^\s*/.exec(rest.slice(at))?.[0] as string
      line += linesIn(space)
      rest = rest.slice(at + space.length)
      if (rest !== '') expect(rest.startsWith('{') ? '{' : 'anything else')
      if (rest.length > RECORD_MAX) {
        throw new SplitError(line, 'this order is longer than 1 MiB: look for a quote or a brace that is not closed')
      }
    },
    end() {
      if (rest !== '') {
        throw new SplitError(
          line,
          'not JSON, or an order with an object in it: look for a quote or a brace that is not closed',
        )
      }
      if (last !== ']') throw new SplitError(line, 'not JSON: the array has no ] at its end')
      return []
    },
  }
}
