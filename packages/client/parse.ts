// Parses JSON with all digits of its integers, about as fast as JSON.parse and in slices: a list of all orders may be long.

/** About how much is parsed at once: a few milliseconds. */
const SLICE = 2 ** 18
/** A double holds every integer of 15 digits. */
const LONG = 16
const longInteger = /^-?[1-9]\d{15,}$/
/**
 * Begins the string that stands for a long integer; any other string that begins with it has it twice. Engines parse it
 * faster than what needs an escape.
 */
const MARK = '\u009f'
const MARK_CODE = 0x9f
const BACKSLASH = 0x5c
const COLON = 0x3a
const SPACE = 0x20

/** The digits of an integer that may be beyond the precision of a double. */
export const digitsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.charCodeAt(0) === MARK_CODE && value.charCodeAt(1) !== MARK_CODE
    ? value.slice(1)
    : undefined

/** A string as it was in the text, and a long integer as a number. */
export function unmarked(value: string): string | number {
  if (value.charCodeAt(0) !== MARK_CODE) return value
  const rest = value.slice(1)
  return digitsOf(value) === undefined ? rest : Number(rest)
}

/**
 * The items of an array, some at a time: between them, others may run.
 * @param text begins with a bracket
 * @throws SyntaxError when it is not JSON
 */
export async function* parseList(text: string) {
  const comma = /\}\s*(?=,\s*\{)/g
  let start = text.indexOf('[') + 1
  for (let least = SLICE; ; least *= 2) {
    comma.lastIndex = start + least
    if (!comma.test(text)) break
    const slice = itemsOf(text.slice(start, comma.lastIndex))
    if (!slice) continue // the comma is within an item
    yield slice
    await new Promise((resolve) => setTimeout(resolve))
    start = comma.lastIndex + 1
    least = SLICE / 2
  }
  const { value, names } = parse(`[${text.slice(start)}`)
  yield { items: value as unknown[], names }
}

/** Undefined if the text is not items. */
function itemsOf(text: string) {
  try {
    const { value, names } = parse(`[${text}]`)
    return { items: value as unknown[], names }
  } catch {
    return undefined
  }
}

/**
 * Steps from string to string: counts those that are names, and marks long integers between them.
 * @returns the value, and how many names its objects have in the text: JSON.parse keeps the last of equal ones
 * @throws SyntaxError when it is not JSON
 */
export function parse(text: string): { value: unknown; names: number } {
  const pieces: string[] = []
  let names = 0
  let copied = 0
  const insert = (piece: string, at: number) => {
    pieces.push(text.slice(copied, at), piece)
    copied = at
  }
  for (let at = 0; at < text.length; ) {
    const open = endOf(text, text.indexOf('"', at))
    for (let start = at; open - start >= LONG; ) {
      while (start < open && !isOfNumber(text.charCodeAt(start))) start++
      let end = start
      while (end < open && isOfNumber(text.charCodeAt(end))) end++
      if (end - start >= LONG && longInteger.test(text.slice(start, end))) {
        insert(`"${MARK}`, start)
        insert('"', end)
      }
      start = end
    }
    at = open + 1
    do at = endOf(text, text.indexOf('"', at)) + 1
    while (at <= text.length && isEscaped(text, at - 1))
    let next = text.charCodeAt(at)
    for (let after = at + 1; next <= SPACE; after++) next = text.charCodeAt(after)
    if (next === COLON) names++
    else if (isMark(text, open + 1)) insert(MARK, open + 1)
  }
  pieces.push(text.slice(copied))
  return { value: JSON.parse(pieces.join('')), names }
}

const endOf = (text: string, index: number) => (index < 0 ? text.length : index)

/** A digit, a point, a sign or an exponent. */
const isOfNumber = (code: number) =>
  (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e || code === 0x2b || (code | 0x20) === 0x65

/** Whether a string begins with the mark, which may be written as an escape. */
const isMark = (text: string, at: number) =>
  text.charCodeAt(at) === MARK_CODE || (text.charCodeAt(at) === BACKSLASH && /^\\u009f$/i.test(text.slice(at, at + 6)))

/** Whether an odd number of backslashes precedes the quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}
