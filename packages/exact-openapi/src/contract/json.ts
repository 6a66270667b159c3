// JSON without rounding: an integer beyond 2^53 becomes a bigint, and every other number keeps all digits as written.
import { parse } from 'lossless-json'
import { digitsOf } from '../model/index.ts'

/** Says in a sentence what is wrong with a body or a parameter. */
export class MalformedError extends Error {}

/** No double needs more characters. Comparing the digits of longer texts would be slow. */
const MAX_LENGTH = 400
/** No double needs more of them. */
const MAX_DIGITS = 17

/** @throws MalformedError when the text is not JSON, repeats a name within an object, or has a number that would be rounded */
export function parseExact(text: string): unknown {
  try {
    const value = parse(text, undefined, { parseNumber, onDuplicateKey: rejectDuplicate })
    if (!text.includes(':')) return value
    // The parser accepts a repeated name with an equal value.
    const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1
    return colons === namesWithin(value) ? value : rejectDuplicate()
  } catch (error) {
    throw error instanceof MalformedError ? error : invalid('The text is not JSON.') // a RangeError if nested too deeply
  }
}

/** @throws MalformedError when a double would not keep all digits */
export function parseNumber(text: string): number | bigint {
  if (/^-?\d+$/.test(text)) return parseInteger(text)
  const number = Number(text)
  const isExact = text.length <= MAX_LENGTH && Number.isFinite(number) && isSame(digitsOf(text), number)
  if (!isExact) throw invalid(`The number ${text.slice(0, 40)} has more digits than a double holds.`)
  return number
}

/** @param text digits, after a minus sign or not */
export function parseInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** Shortest digits, or the up to 17 that other languages write. An integer is exact: it may be an identifier. */
function isSame(digits: string, number: number): boolean {
  const isFraction = !Number.isInteger(number) && number !== 0
  return digits === digitsOf(String(number)) || (isFraction && digits.length <= MAX_DIGITS)
}

function namesWithin(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const items = Object.values(value)
  return items.reduce((sum: number, item) => sum + namesWithin(item), Array.isArray(value) ? 0 : items.length)
}

function rejectDuplicate(): never {
  throw invalid('The JSON repeats a name within an object.')
}

const invalid = (message: string) => new MalformedError(message)
