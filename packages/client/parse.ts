// Parses JSON with all digits of its integers, about as fast as JSON.parse and in slices: a list of all orders may be long.

/** About how much is parsed at once: a few milliseconds. */
const SLICE = 2 ** 18
/** A double holds every integer of 15 digits. */
const longInteger = /^-?\d{16,}$/
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Begins the string that stands for a long integer. */
const MARK = '\u0000'
const BACKSLASH = 0x5c
const COLON = 0x3a
const SPACE = 0x20

/** The digits of an integer that may be beyond the precision of a double. */
export const digitsOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(MARK) ? value.slice(1) : undefined

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
  let hasMarks: boolean | undefined
  let names = 0
  let marked = ''
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const open = endOf(text, text.indexOf('"', at))
    if (open - at > 15) hasMarks ??= text.includes('\\u0000')
    if (open - at > 15 && !hasMarks) {
      marked += text.slice(copied, at) + text.slice(at, open).replace(number, withMark)
      copied = open
    }
    at = open + 1
    do at = endOf(text, text.indexOf('"', at)) + 1
    while (at <= text.length && isEscaped(text, at - 1))
    let next = text.charCodeAt(at)
    for (let after = at + 1; next <= SPACE; after++) next = text.charCodeAt(after)
    if (next === COLON) names++
  }
  return { value: JSON.parse(marked + text.slice(copied)), names }
}

const endOf = (text: string, index: number) => (index < 0 ? text.length : index)

const withMark = (text: string) => (longInteger.test(text) ? `"\\u0000${text}"` : text)

/** Whether an odd number of backslashes precedes the quote. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (quote - first) % 2 === 1
}
