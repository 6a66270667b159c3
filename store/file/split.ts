// Splits the text of an orders file into records and buffers one at a time. Only the separators matter here; whether a
// record is JSON is checked when it is parsed.

/** A record, JSON or not, and the line on which it begins, from 1. */
export interface Piece {
  text: string
  line: number
}

export interface Splitter {
  /** The records that this chunk completes. @throws SplitError */
  write(chunk: string): Iterable<Piece>
  /** The last record. @throws SplitError */
  end(): Iterable<Piece>
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

  function* take(texts: readonly string[]): Generator<Piece> {
    for (const text of texts) {
      const record = trim(text)
      if (record !== '') yield { text: record, line }
      line++
    }
  }

  /** Removes a byte order mark as well. */
  function trim(text: string): string {
    const record = text.trim()
    if (record.length <= RECORD_MAX) return record
    throw new SplitError(line, 'the line is longer than 1 MiB: write an order per line, or an array in a .json file')
  }

  return {
    *write(chunk) {
      const texts = (rest + chunk).split('\n')
      rest = texts.pop() as string
      yield* take(texts)
      rest = trim(rest)
    },
    end: () => take([rest]),
  }
}

const [LINE_FEED, QUOTE, BACKSLASH, COMMA, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [
  ...Buffer.from('\n"\\,[]{}'),
]

/** A JSON array. Quotes and the depth of the brackets tell where its elements end. */
export function arraySplitter(): Splitter {
  let rest = ''
  let restLine = 1
  let line = 1
  let depth = 0
  let elements = 0
  let isInString = false
  let isEscaped = false
  let isOver = false

  /** Adds to the element, without the space before it. */
  function extend(text: string) {
    const whole = rest + text
    rest = whole.trimStart()
    restLine += whole.slice(0, whole.length - rest.length).split('\n').length - 1
    if (rest.length <= RECORD_MAX) return
    throw new SplitError(restLine, 'this order is longer than 1 MiB: look for a quote or a bracket that is not closed')
  }

  function* take(text: string, isLast: boolean): Generator<Piece> {
    extend(text)
    if (rest !== '') yield { text: rest.trimEnd(), line: restLine }
    else if (!isLast || elements > 0) throw new SplitError(line, 'not JSON: an order expected')
    elements++
    rest = ''
    restLine = line
  }

  function open(char: number) {
    if (isOver) throw new SplitError(line, 'not JSON: the file continues after the ] of its array')
    if (char !== OPEN_BRACKET) throw new SplitError(line, 'the file must contain an array of orders, beginning with [')
    depth = 1
    restLine = line
  }

  return {
    *write(chunk) {
      let start = 0
      for (let at = 0; at < chunk.length; at++) {
        const char = chunk.charCodeAt(at)
        if (char === LINE_FEED) line++
        if (isInString) {
          if (char === LINE_FEED) throw new SplitError(line - 1, 'not JSON: a string has no closing quote')
          isInString = char !== QUOTE || isEscaped
          isEscaped = char === BACKSLASH && !isEscaped
        } else if (depth === 0) {
          if (String.fromCharCode(char).trim() === '') continue // a byte order mark as well
          open(char)
          start = at + 1
        } else if (char === QUOTE) {
          isInString = true
        } else if (char === OPEN_BRACKET || char === OPEN_BRACE) {
          depth++
        } else if (char === CLOSE_BRACKET || char === CLOSE_BRACE || char === COMMA) {
          if (char !== COMMA) depth--
          if (depth > 1 || (depth === 1 && char !== COMMA)) continue
          yield* take(chunk.slice(start, at), depth === 0)
          isOver = depth === 0
          start = at + 1
        }
      }
      if (depth > 0) extend(chunk.slice(start))
    },
    *end() {
      if (isOver) return
      if (rest !== '') yield { text: rest.trimEnd(), line: restLine }
      throw new SplitError(line, 'not JSON: the array has no ] at its end')
    },
  }
}
