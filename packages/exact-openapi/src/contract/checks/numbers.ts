// What the Ajv keyword for numbers checks: Ajv itself would round an int64.
import { integerRanges, isExact, type Schema } from '../../model/index.ts'

type Bounds = Pick<Schema, 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf'>
type Numeric = Bounds & Pick<Schema, 'hasBigints'> & { type?: string; format?: string; nullable?: boolean }

export const EXACT = 'exactNumber'
/** What the keyword replaces. */
export const numericKeys = new Set([
  'type',
  'format',
  'hasBigints',
  'nullable',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
])

/** Also without a type: bounds and formats of numbers limit numbers alone, and Ajv compares no bigints. */
export function isNumeric({ type, format = '', minimum, maximum, multipleOf }: Schema): boolean {
  if (type) return type === 'integer' || type === 'number'
  return (minimum ?? maximum ?? multipleOf) !== undefined || Object.hasOwn(numberTypes, format)
}

interface NumberType {
  read(data: unknown): number | bigint | undefined
  message: string
}

const int64 = integerOf(BigInt.asIntN, Number.MIN_SAFE_INTEGER)
const uint64 = integerOf(BigInt.asUintN, 0)
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

/** @returns what a value breaks, if it does. @param isSent it must have its type already: a bigint for an int64 */
export function numberCheck(numeric: Numeric, isSent: boolean): (data: unknown) => Broken | undefined {
  const { type, format = '', hasBigints = false, nullable, ...bounds } = numeric
  const kind = Object.hasOwn(numberTypes, format) ? format : type
  const isExactKind = /^u?int64$/.test(kind ?? '')
  const { read: readOne, message } = kind === undefined ? anyNumber : (numberTypes[kind] as NumberType)
  const read = hasBigints ? bigintIfPossible : readOne
  const isWrongType = (data: unknown) =>
    isSent && kind !== undefined && !hasBigints && (typeof data === 'bigint') !== isExactKind
  const isBounded = Object.keys(bounds).length > 0
  return (data) => {
    const isOther = typeof data !== 'number' && typeof data !== 'bigint'
    if (isOther && (type === undefined || (data === null && nullable))) return undefined
    const value = isWrongType(data) ? undefined : read(data)
    if (value === undefined) return ['type', message]
    return isBounded ? outOfBounds(value, bounds) : undefined
  }
}

/** How numbers that the schemas allow take their type, if any has to. */
export function converterOf(schemas: readonly Schema[]): ((value: number | bigint) => number | bigint) | undefined {
  if (schemas.some((schema) => schema.hasBigints || isExact(schema))) {
    return (value) => (Number.isSafeInteger(value) ? BigInt(value) : (bigintIfPossible(value) as number | bigint))
  }
  return schemas.some(({ type }) => type === 'number') ? (value) => toDouble(value) as number : undefined
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
function integerOf(within: (bits: number, value: bigint) => bigint, least: number): NumberType['read'] {
  return (data) => {
    if (Number.isSafeInteger(data)) return (data as number) >= least ? (data as number) : undefined
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
export type Broken = readonly [rule: string, message: string]

function outOfBounds(value: number | bigint, bounds: Bounds): Broken | undefined {
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
  return undefined
}

/** In decimal digits, as both are written: 0.3 is a multiple of 0.1. */
function isMultiple(value: number | bigint, divisor: number): boolean {
  const [field, other] = [decimalOf(value), decimalOf(divisor)]
  const places = Math.max(field.places, other.places)
  return scaled(field, places) % scaled(other, places) === 0n
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

/** The same text for the same value of JSON: 1, 1n and 1.0 are one. */
export function canonical(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `${BigInt(value)}` : `${value}`
  if (typeof value === 'bigint') return `${value}`
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const entries = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(Reflect.get(value, name))}`)
  return `{${entries.join()}}`
}

/** A key that equal values share. A number is its own, because writing a text for each takes long. */
export function identityOf(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  return canonical(value)
}

export const oneOf = (values: readonly unknown[]) => `must be one of ${values.join(', ')}`
