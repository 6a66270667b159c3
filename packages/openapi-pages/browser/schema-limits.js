// What the keywords of a schema say about a single value. Integers are bigints, as `parseExactly` reads them.
import { stringifyExactly } from './json.js'

export function typeOf(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'number' : typeof value
}

export const isOf = (type, value) =>
  type === 'integer' ? typeof value === 'bigint' || Number.isInteger(value) : typeOf(value) === type
export const named = (type) => `${/^[aeiou]/i.test(type) ? 'an' : 'a'} ${type}`
export const listed = (values) => values.map(String).join(' or ')

/** What the keywords that stand for themselves require, for each that is not met. */
export function limits(schema, value) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format, pattern } = schema
  const type = typeOf(value)
  const size = { string: () => [...value].length, array: () => value.length, object: () => Object.keys(value).length }
  const count = size[type]?.()
  const word = { string: 'Length', array: 'Items', object: 'Properties' }[type]
  const unit = { string: 'characters', array: 'items', object: 'properties' }[type]
  const [least, most] = rangeOf(type === 'number' ? format : undefined)
  /** @type {[isWrong: boolean, text: string][]} */
  const rules = [
    [schema.enum && !schema.enum.some((one) => isSame(one, value)), `must be ${listed(schema.enum ?? [])}`],
    [type === 'number' && value < minimum, `must be at least ${minimum}`],
    [type === 'number' && value > maximum, `must be at most ${maximum}`],
    [type === 'number' && exclusiveMinimum && value <= minimum, `must be more than ${minimum}`],
    [type === 'number' && exclusiveMaximum && value >= maximum, `must be less than ${maximum}`],
    [
      typeof value === 'bigint' && multipleOf && value % BigInt(multipleOf) !== 0n,
      `must be a multiple of ${multipleOf}`,
    ],
    [value < least || value > most, `must be an integer of ${format?.replace(/\D+/, '')} bits`],
    [type === 'string' && pattern !== undefined && !patternOf(pattern).test(value), `must match ${pattern}`],
    [schema.uniqueItems && new Set(value.map?.(stringifyExactly)).size < count, 'must have each item once'],
    [count < schema[`min${word}`], `must have at least ${schema[`min${word}`]} ${unit}`],
    [count > schema[`max${word}`], `must have at most ${schema[`max${word}`]} ${unit}`],
  ]
  return rules.filter(([isWrong]) => isWrong).map(([, text]) => text)
}

/** Of the format of an integer, such as `uint8`. @returns {[least: number | bigint, most: number | bigint]} */
function rangeOf(format = '') {
  const [, unsigned, bits] = /^(u?)int(\d+)$/.exec(format) ?? []
  if (!bits) return [-Infinity, Infinity]
  const count = 2n ** BigInt(bits)
  return unsigned ? [0n, count - 1n] : [-count / 2n, count / 2n - 1n]
}

/** Without the flag `u` where the pattern has escapes that it rejects, as the server reads it. */
function patternOf(text) {
  try {
    return new RegExp(text, 'u')
  } catch {
    return new RegExp(text)
  }
}

/** `1` is `1.0`, too. */
function isSame(one, value) {
  if (typeOf(one) !== 'number' || typeOf(value) !== 'number') return stringifyExactly(one) === stringifyExactly(value)
  return one <= value && one >= value
}
