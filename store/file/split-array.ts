// Splits a JSON array into its elements, by quotes and brackets alone: their contents are checked when they are read.
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isSpace,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './cursor.ts'
import { byteOrderMark, empty, ORDER_MAX, type Split } from './splitter.ts'

/** Where the next byte is: before the array, where an element or the end may come, in an element, after the array. */
type State = 'before' | 'first' | 'next' | 'element' | 'after'

const tooLong = 'this order is longer than 1 MiB: look for a quote or a bracket that is not closed'

const nothing: Buffer = Buffer.alloc(0)

export const splitArray: Split = (take, report) => {
  let state: State = 'before'
  let rest = nothing
  let line = 1
  let elementLine = 1
  let marked = 0
  const elementEnd = elementScanner()

  /** The state that a byte between elements leads to, or an error message. */
  function stateAfter(byte: number): State | { mistake: string } {
    if (isSpace(byte)) return state
    if (state === 'before' && byte === byteOrderMark[marked]) {
      marked++
      return state
    }
    if (state === 'before') {
      return byte === OPEN_BRACKET ? 'first' : { mistake: 'the file must hold an array of orders, [ first' }
    }
    if (state === 'after') return { mistake: 'not JSON: the file goes on behind the ] of its array' }
    if (state === 'first' && byte === CLOSE_BRACKET) return 'after'
    return byte === COMMA || byte === CLOSE_BRACKET ? { mistake: 'not JSON: an order expected' } : 'element'
  }

  function isTooLong(length: number): boolean {
    if (length > ORDER_MAX) report(elementLine, tooLong)
    return length > ORDER_MAX
  }

  /** Takes the element whose last bytes are chunk[start, end), or reports that it is too long. */
  function takeElement(chunk: Buffer, start: number, end: number): boolean {
    const isWhole = rest.length === 0
    const bytes = isWhole ? chunk : Buffer.concat([rest, chunk.subarray(0, end)])
    const [from, to] = isWhole ? [start, end] : [0, bytes.length]
    rest = nothing
    if (isTooLong(to - from)) return false
    take(bytes, from, to, elementLine)
    return true
  }

  return {
    write(chunk) {
      let start = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] as number
        if (byte === LINE_FEED) line++
        if (state !== 'element') {
          const next = stateAfter(byte)
          if (typeof next === 'object') {
            report(line, next.mistake)
            return false
          }
          state = next
          if (state !== 'element') continue
          start = at
          elementLine = line
        }
        const found = elementEnd(byte)
        if (found === 'inside') continue
        if (!takeElement(chunk, start, found === 'end' ? at : at + 1) || found === 'broken') return false
        state = byte === COMMA ? 'next' : 'after'
      }
      if (state === 'element')
        rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.subarray(start))
      return !isTooLong(rest.length)
    },
    end() {
      if (state === 'before') throw new Error(empty)
      if (state === 'after') return
      if (state === 'element') take(rest, 0, rest.length, elementLine)
      report(line, 'not JSON: the array has no ] at its end')
    },
  }
}

/** Given the bytes of elements one by one, tells if an element is complete or can no longer end correctly. */
function elementScanner(): (byte: number) => 'inside' | 'end' | 'broken' {
  const closers: number[] = []
  let isInString = false
  let isEscaped = false
  return (byte) => {
    if (isInString) {
      if (byte === LINE_FEED) return 'broken'
      if (byte === QUOTE && !isEscaped) isInString = false
      isEscaped = byte === BACKSLASH && !isEscaped
    } else if (byte === QUOTE) {
      isInString = true
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      closers.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)
    } else if (closers.length === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) {
      return 'end'
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (closers.pop() !== byte) return 'broken'
    }
    return 'inside'
  }
}
