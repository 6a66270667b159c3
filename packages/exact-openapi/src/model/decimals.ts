// Numbers with more digits than a double keeps. Examples have them as they are written, everything else as doubles.
import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import { keywordOf, mapped, type ObjectName, withParts } from './keywords.ts'

/** Of a number in JSON: a bigint if it is an integer beyond 2^53, and its text if it is another that a double rounds. */
export function exactNumber(text: string): number | bigint | LosslessNumber {
  const number = Number(text)
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : BigInt(text)
  return digitsOf(text) === digitsOf(String(number)) ? number : new LosslessNumber(text)
}

/** Without sign, point, exponent and the zeros around them. */
export const digitsOf = (text: string) =>
  text
    .replace(/e.*/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')

/** The value with doubles alone. */
export function rounded(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(String(value))
  if (Array.isArray(value)) return value.map(rounded)
  return typeof value === 'object' && value !== null ? mapped(value as Record<string, unknown>, rounded) : value
}

/** A copy of an object of OpenAPI with doubles everywhere but in examples. */
export function roundedButExamples(node: unknown, object: ObjectName): unknown {
  if (typeof node !== 'object' || node === null || Array.isArray(node) || isLosslessNumber(node)) return rounded(node)
  const whole = withParts(node as Record<string, unknown>, object, (part, kind) => roundedButExamples(part, kind))
  return mapped(whole, (value, key) => {
    const { object: part, use } = keywordOf(object, key) ?? {}
    return part || (use === 'describes' && /^(examples?|value|dataValue)$/.test(key)) ? value : rounded(value)
  })
}
