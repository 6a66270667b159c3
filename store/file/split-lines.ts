// Splits NDJSON: one order per line. Blank lines are skipped.
import { isSpace, LINE_FEED } from './cursor.ts'
import { byteOrderMark, empty, ORDER_MAX, type Split } from './splitter.ts'

const tooLong = 'the line is longer than 1 MiB: write an order a line, or an array of orders in a .json file'

export const splitLines: Split = (take, report) => {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  let isEmpty = true

  /** True if the line is short enough. */
  function takeLine(bytes: Buffer, lineStart: number, end: number): boolean {
    let start = lineStart
    while (line === 1 && start < end && bytes[start] === byteOrderMark[start - lineStart]) start++
    while (start < end && isSpace(bytes[start])) start++
    if (end - start > ORDER_MAX) {
      report(line, tooLong)
      return false
    }
    if (start < end) {
      isEmpty = false
      take(bytes, start, end, line)
    }
    line++
    return true
  }

  /** The line that has begun in earlier chunks, with its part of this one. */
  function takeRest(part: Buffer): boolean {
    const bytes = Buffer.concat([rest, part])
    return takeLine(bytes, 0, bytes.length)
  }

  return {
    write(chunk) {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        const isRest = start === 0 && rest.length > 0
        if (!(isRest ? takeRest(chunk.subarray(0, end)) : takeLine(chunk, start, end))) return false
        start = end + 1
      }
      rest = start === 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.subarray(start))
      if (rest.length <= ORDER_MAX) return true
      report(line, tooLong)
      return false
    },
    end() {
      takeLine(rest, 0, rest.length)
      if (isEmpty) throw new Error(empty)
    },
  }
}
