// Values of single texts.
import type { Schema } from '../../model/index.ts'
import { parseExact, parseInteger, parseNumber } from '../json.ts'

/** Of at most 20 digits, as many as a uint64 has: the schema checks the range. */
const integer = /^-?(0|[1-9]\d{0,19})$/
const number = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i

/** Reads a text as the first of these types that it is of. Text that is of none stays text, for the schema to reject. */
export function scalarReader(types: readonly Schema['type'][]): (text: string) => unknown {
  const has = (type: Schema['type']) => types.includes(type)
  const [isBoolean, isInteger, isNumber] = [has('boolean'), has('integer'), has('number')]
  if (types.length === 1 && has('object')) return parseExact
  return (text) => {
    if (isBoolean && (text === 'true' || text === 'false')) return text === 'true'
    if (isInteger && integer.test(text) && text !== '-0') return parseInteger(text)
    return isNumber && number.test(text) ? parseNumber(text) : text
  }
}
