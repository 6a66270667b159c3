// The Ajv keyword that validates numbers: Ajv itself would round an int64.
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js'
import { integerRanges, type Schema } from '../../model/index.ts'

type Bounds = Pick<Schema, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf'>
export type Numeric = Bounds &
  Pick<Schema, 'hasBigints'> & { type?: string; format?: string; nullable?: boolean; enum?: (number | bigint | null)[] }

export const EXACT = 'exactNumber'
/** What the keyword replaces. */
export const numericKeys = new Set([
  'type',
  'format',
  'hasBigints',
  'nullable',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
])

/** Also without a type: bounds limit numbers alone, and Ajv compares no bigints. */
export function isNumeric(schema: Schema): boolean {
  if (schema.type) return schema.type === 'integer' || schema.type === 'number'
  const isBounded = ['minimum', 'maximum', 'multipleOf'].some((key) => Object.hasOwn(schema, key))
  return isBounded || schema.enum?.some((value: unknown) => typeof value === 'bigint') === true
}

interface NumberType {
  read(data: unknown): number | bigint | undefined
  message: string
}

const int64 = integerOf(BigInt.asIntN)
const uint64 = integerOf(BigInt.asUintN)
const numberTypes: Record<string, NumberType> = {
  ...Object.fromEntries(Object.entries(integerRanges).map(([format, range]) => [format, integerWithin(format, range)])),
  int64: { read: int64, message: 'must be a 64-bit integer in plain decimal digits' },
  uint64: { read: uint64, message: 'must be an unsigned 64-bit integer in plain decimal digits' },
  integer: {
    read: (data) => (Number.isSafeInteger(data) ? (data as number) : undefined),
    message: `must be an integer in plain decimal digits, at most ${Number.MAX_SAFE_INTEGER}`,
  },
  number: { read: toDouble, message: 'must be a number that a double holds exactly' },
}
/** Of a number beside an int64: both have to read a value as the same. */
const bigintIfPossible = (data: unknown) => int64(data) ?? uint64(data) ?? toDouble(data)
/** Of a schema without a type: it has bounds. */
const anyNumber: NumberType = { read: (data) => data as number | bigint, message: '' }

/** Converts a received value in place; a sent one must have its type already. */
export function numberCheck(numeric: Numeric, isSent: boolean) {
  const { type, format = '', hasBigints = false, nullable, enum: values, ...bounds } = numeric
  const kind = Object.hasOwn(numberTypes, format) ? format : type
  const isExactKind = /^u?int64$/.test(kind ?? '')
  const { read: readOne, message } = kind === undefined ? anyNumber : (numberTypes[kind] as NumberType)
  const read = hasBigints ? bigintIfPossible : readOne
  const hasOneType = kind !== undefined && !hasBigints
  const check: DataValidateFunction = (data: unknown, context?: DataValidationCxt) => {
    if (data === null && nullable && (!values || values.includes(null))) return true
    if (kind === undefined && typeof data !== 'number' && typeof data !== 'bigint') {
      if (!values || values.includes(data as never)) return true
      check.errors = broken(['enum', oneOf(values)])
      return false
    }
    const value = isSent && hasOneType && (typeof data === 'bigint') !== isExactKind ? undefined : read(data)
    const problem = value === undefined ? (['type', message] as const) : outOfBounds(value, bounds, values)
    if (problem) check.errors = broken(problem)
    else if (!isSent && value !== data && context) context.parentData[context.parentDataProperty] = value
    return problem === undefined
  }
  return check
}

function integerWithin(format: string, [least, most]: readonly [least: number, most: number]): NumberType {
  const isWithin = (data: unknown): data is number =>
    Number.isInteger(data) && Number(data) >= least && Number(data) <= most
  const kind = `${/^(u|int8)/.test(format) ? 'an' : 'a'} ${format.replace('uint', 'unsigned ').replace('int', '')}-bit integer`
  return {
    read: (data) => (isWithin(data) ? data : undefined),
    message: `must be ${kind} in plain decimal digits`,
  }
}

/** @param within cuts a value to 64 bits */
function integerOf(within: (bits: number, value: bigint) => bigint): NumberType['read'] {
  return (data) => {
    if (typeof data !== 'bigint' && !Number.isInteger(data)) return undefined
    const value = BigInt(data as bigint | number)
    return within(64, value) === value ? value : undefined
  }
}

function toDouble(data: unknown): number | undefined {
  if (typeof data === 'number') return data
  const number = typeof data === 'bigint' ? Number(data) : Number.NaN
  return Number.isFinite(number) && BigInt(number) === data ? number : undefined
}

/** The keyword that a value breaks, and what the value must be. */
type Broken = readonly [rule: string, message: string]

const broken = ([rule, message]: Broken) => [{ keyword: EXACT, message, params: { rule } }]

function outOfBounds(value: number | bigint, bounds: Bounds, values?: (number | bigint | null)[]): Broken | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = bounds
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    return ['minimum', `must be ${exclusiveMinimum ? '>' : '>='} ${minimum}`]
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    return ['maximum', `must be ${exclusiveMaximum ? '<' : '<='} ${maximum}`]
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    return ['multipleOf', `must be a multiple of ${multipleOf}`]
  }
  // biome-ignore lint/suspicious/noDoubleEquals: 1n == 1, without rounding
  if (values && !values.some((one) => one !== null && one == value)) return ['enum', oneOf(values)]
  return undefined
}

/** In decimal digits, as both are written: 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, divisor: number): boolean {
  const [one, other] = [decimalOf(value), decimalOf(divisor)]
  const places = Math.max(one.places, other.places)
  return scaled(one, places) % scaled(other, places) === 0n
}

const decimal = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

export interface Decimal {
  digits: bigint
  /** After the point: 3 of 0.125, -21 of 1e21. */
  places: number
}

export function decimalOf(value: number | bigint): Decimal {
  const [, whole, fraction = '', exponent = '0'] = decimal.exec(String(value)) as unknown as string[]
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) }
}

export const scaled = ({ digits, places }: Decimal, wanted: number) => digits * 10n ** BigInt(wanted - places)

export const oneOf = (values: readonly unknown[]) => `must be one of ${values.join(', ')}`
