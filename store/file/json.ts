// Checks JSON (RFC 8259) in bytes without building values: digits stay exact, repeated names visible, and nesting uses
// no stack. All functions move the cursor past the text they check, and throw a JsonError where it is not JSON.
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  type Cursor,
  DOT,
  isAt,
  isDigit,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  peek,
  QUOTE,
  SPACE,
  skipByte,
  skipSpace,
  unexpected,
  ZERO,
} from './cursor.ts'

const codesOf = (text: string) => [...Buffer.from(text)]
const literals = ['true', 'false', 'null'].map((text) => Buffer.from(text))
const simpleEscapes = new Set(codesOf('"\\/bfnrt'))
const hexDigits = new Set(codesOf('0123456789abcdefABCDEF'))
const exponents = new Set(codesOf('eE'))
const [UNICODE] = codesOf('u')

/** A value of any kind and depth. */
export function skipValue(cursor: Cursor) {
  const first = peek(cursor)
  if (first === QUOTE) skipString(cursor)
  else if (first === MINUS || isDigit(first)) skipNumber(cursor)
  else if (first === OPEN_BRACE || first === OPEN_BRACKET) skipContainer(cursor)
  else skipLiteral(cursor)
}

/** The name of a member. The cursor is after its closing quote. */
export function skipName(cursor: Cursor) {
  if (peek(cursor) !== QUOTE) throw unexpected(cursor, 'a name in double quotes')
  skipString(cursor)
}

/** The colon of a member, with the space around it. */
export function skipColon(cursor: Cursor) {
  skipSpace(cursor)
  skipByte(cursor, COLON, 'a colon')
  skipSpace(cursor)
}

function skipString(cursor: Cursor) {
  const { bytes, end } = cursor
  for (let at = cursor.at + 1; at < end; at++) {
    const byte = bytes[at] as number
    if (byte !== QUOTE && byte !== BACKSLASH && byte >= SPACE) continue
    cursor.at = at
    if (byte < SPACE) throw unexpected(cursor, 'the end of the string')
    cursor.at++
    if (byte === QUOTE) return
    skipEscape(cursor)
    at = cursor.at - 1
  }
  cursor.at = end
  throw unexpected(cursor, 'the end of the string')
}

function skipEscape(cursor: Cursor) {
  const byte = peek(cursor) as number
  const digits = byte === UNICODE ? 4 : 0
  if (digits === 0 && !simpleEscapes.has(byte)) throw unexpected(cursor, 'an escape such as \\n or \\u00e9')
  cursor.at++
  for (let digit = 0; digit < digits; digit++, cursor.at++) {
    if (!hexDigits.has(peek(cursor) as number)) throw unexpected(cursor, 'a hexadecimal digit')
  }
}

function skipNumber(cursor: Cursor) {
  if (peek(cursor) === MINUS) cursor.at++
  if (peek(cursor) === ZERO) cursor.at++
  else skipDigits(cursor)
  if (isDigit(peek(cursor))) throw unexpected(cursor, 'a number without leading zeros')
  if (peek(cursor) === DOT) {
    cursor.at++
    skipDigits(cursor)
  }
  if (exponents.has(peek(cursor) as number)) {
    cursor.at++
    if (peek(cursor) === PLUS || peek(cursor) === MINUS) cursor.at++
    skipDigits(cursor)
  }
}

function skipDigits(cursor: Cursor) {
  if (!isDigit(peek(cursor))) throw unexpected(cursor, 'a digit')
  const { bytes, end } = cursor
  let at = cursor.at + 1
  while (at < end && isDigit(bytes[at])) at++
  cursor.at = at
}

function skipLiteral(cursor: Cursor) {
  const { bytes, at, end } = cursor
  const literal = literals.find((one) => at + one.length <= end && isAt(one, bytes, at))
  if (!literal) throw unexpected(cursor, 'a value')
  cursor.at += literal.length
}

/** Open brackets are held as the bytes that close them, rather than on the stack. */
function skipContainer(cursor: Cursor) {
  const closers: number[] = []
  for (;;) {
    const first = peek(cursor)
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      cursor.at++
      closers.push(first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)
      skipSpace(cursor)
      if (peek(cursor) !== closers.at(-1)) {
        startMember(cursor, closers.at(-1))
        continue
      }
    } else {
      skipValue(cursor)
    }
    skipClosers(cursor, closers)
    if (closers.length === 0) return
    skipByte(cursor, COMMA, closers.at(-1) === CLOSE_BRACE ? 'a comma or }' : 'a comma or ]')
    skipSpace(cursor)
    startMember(cursor, closers.at(-1))
  }
}

function startMember(cursor: Cursor, closer: number | undefined) {
  if (closer !== CLOSE_BRACE) return
  skipName(cursor)
  skipColon(cursor)
}

function skipClosers(cursor: Cursor, closers: number[]) {
  skipSpace(cursor)
  while (peek(cursor) === closers.at(-1)) {
    closers.pop()
    cursor.at++
    if (closers.length === 0) return
    skipSpace(cursor)
  }
}
