// Indents, reads and writes JSON, with every digit.

/** Indents JSON without reading its values: JSON.parse rounds integers beyond 2^53. Other text stays as it is. */
export function formatJson(/** @type {string} */ text) {
  if (!isJson(text)) return text
  let depth = 0
  const newLine = (by = 0) => {
    depth += by
    return `\n${'  '.repeat(Math.min(depth, deepest))}`
  }
  /** @type {Record<string, () => string>} */
  const layout = {
    '{': () => `{${newLine(1)}`,
    '[': () => `[${newLine(1)}`,
    '}': () => `${newLine(-1)}}`,
    ']': () => `${newLine(-1)}]`,
    ',': () => `,${newLine()}`,
    ':': () => ': ',
  }
  return text.replace(tokens, (token) => layout[token]?.() ?? (token[0] === '"' ? token : token.replace(/\s+/g, '')))
}

/** What is deeper is not indented more: 6 kB of brackets would become 18 MB. */
const deepest = 50

const tokens = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|\s+/g

function isJson(/** @type {string} */ text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Integers become bigints, other numbers doubles, or decimals that keep their text. @throws SyntaxError @returns {any} */
export function parseExactly(/** @type {string} */ text) {
  JSON.parse(text) // its errors name places in the text itself
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token[0] === '"' ? token : JSON.stringify({ [mark]: token }),
  )
  return JSON.parse(marked, (_key, value) => (value && Object.hasOwn(value, mark) ? numberOf(value[mark]) : value))
}

/** @returns {string} */
export function stringifyExactly(/** @type {unknown} */ value, indent = 0) {
  const text = String(
    JSON.stringify(
      value,
      (_key, part) => (typeof part === 'bigint' || isDecimal(part) ? { [mark]: String(part) } : part),
      indent,
    ),
  )
  return text.replace(/\{\s*"\\u0000": ?"(-?\d[\d.eE+-]*)"\s*\}/g, '$1')
}

/** The name under which a number keeps its digits: no sender names a property like this. */
const mark = '\0'

const numberOf = (/** @type {string} */ token) => (/^-?\d+$/.test(token) ? BigInt(token) : decimalOf(token))

/** A number that no double is. @param text a number in JSON */
export const decimalOf = (/** @type {string} */ text) =>
  digitsOf(text) === digitsOf(String(Number(text))) ? Number(text) : new Decimal(text)

/** Without sign, point, exponent and the zeros around them. */
const digitsOf = (/** @type {string} */ text) =>
  text
    .replace(/e.*/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')

/** What lossless-json marks its numbers with: the server has those in place of decimals. */
const lossless = Symbol.for('lossless-json.LosslessNumber')

export const isDecimal = (/** @type {unknown} */ value) =>
  typeof value === 'object' && value !== null && lossless in value

class Decimal {
  constructor(/** @type {string} */ text) {
    this.text = text
  }
  /* c8 ignore next 3 -- its presence is what counts */
  get [lossless]() {
    return true
  }
  toString() {
    return this.text
  }
}

/** An object or an array. @returns {value is object} */
export const isComposite = (/** @type {unknown} */ value) =>
  typeof value === 'object' && value !== null && !isDecimal(value)
