// A position in bytes, and the bytes that are significant in JSON.

/** `at` is how far the bytes have been read, `end` where the reader must stop. */
export interface Cursor {
  bytes: Buffer
  at: number
  end: number
}

const EXCERPT_BYTES = 60

/** Not JSON; found at this offset in the bytes. */
export class JsonError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const codeOf = (character: string) => character.charCodeAt(0)

export const LINE_FEED = codeOf('\n')
export const SPACE = codeOf(' ')
export const QUOTE = codeOf('"')
export const BACKSLASH = codeOf('\\')
export const COMMA = codeOf(',')
export const COLON = codeOf(':')
export const DOT = codeOf('.')
export const PLUS = codeOf('+')
export const MINUS = codeOf('-')
export const ZERO = codeOf('0')
export const NINE = codeOf('9')
export const OPEN_BRACE = codeOf('{')
export const CLOSE_BRACE = codeOf('}')
export const OPEN_BRACKET = codeOf('[')
export const CLOSE_BRACKET = codeOf(']')
const TAB = codeOf('\t')
const CARRIAGE_RETURN = codeOf('\r')

export function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

/** True if the word is at this offset. */
export function isAt(word: Buffer, bytes: Buffer, start: number): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[start + index] !== word[index]) return false
  return true
}

/** The next byte; undefined at the end. */
export function peek(cursor: Cursor): number | undefined {
  return cursor.at < cursor.end ? cursor.bytes[cursor.at] : undefined
}

export function skipSpace(cursor: Cursor) {
  while (isSpace(peek(cursor))) cursor.at++
}

/** @throws JsonError when another byte is next */
export function skipByte(cursor: Cursor, byte: number, expected: string) {
  if (peek(cursor) !== byte) throw unexpected(cursor, expected)
  cursor.at++
}

export function unexpected(cursor: Cursor, expected: string): JsonError {
  const { bytes, at, end } = cursor
  const next = excerpt(bytes, at, end).trim()
  const place = next ? `before ${next}` : at < end ? 'at the end of the line' : 'at the end'
  return new JsonError(`not JSON: ${expected} expected ${place}`, at)
}

/** The beginning of bytes[start, end) as a message may show it: on one line, without control characters. */
export function excerpt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, Math.min(end, start + EXCERPT_BYTES))
  return text.replace(/[\p{Cc}\s]+/gu, ' ') + (end > start + EXCERPT_BYTES ? '...' : '')
}
