// Makes a function of a schema: it checks a value, and converts what is in it in place.
import { digitsOf } from './parse.ts'
import type { Schema } from './types.ts'

/** @returns the converted value @throws Mismatch */
export type Convert = (value: unknown) => unknown
export type Compile = (schema: Schema) => Convert
type Fields = Record<string, unknown>

/** RFC 3339 5.6 */
const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** @param isJson whether an int64 arrives as a number or as digits, not as a bigint */
export function compile(schema: Schema, convertOf: Compile, isJson: boolean): Convert {
  const { nullable, oneOf, anyOf, allOf = [], type, format } = schema
  const [first, ...others] = [
    ...[oneOf, anyOf].flatMap((alternatives) => (alternatives ? choice(schema, alternatives, convertOf) : [])),
    ...allOf.map(convertOf),
    ...(type === 'integer' || type === 'number' ? [numberOf(format ?? type, isJson)] : []),
    ...check(schema, isJson),
    ...contents(schema, convertOf),
  ]
  if (!first) return (value) => value
  return (value) => {
    if (value === null && nullable) return value
    let result = first(value)
    for (const step of others) result = step(result)
    return result
  }
}

function check({ type = '', format, enum: values }: Schema, isJson: boolean): Convert[] {
  const isType = types[type] ?? (() => true)
  if (!Object.hasOwn(types, type) && !values) return []
  const isText = type === 'string'
  const isDate = isText && format === 'date-time'
  const expected = values ? `must be one of ${values.join(', ')}` : `must be of type ${format ?? type}`
  const convert: Convert = (value) => {
    const isRight =
      isType(value) &&
      (!isText || !isJson || digitsOf(value) === undefined) &&
      (!isDate || dateTime.test(String(value))) &&
      (!values || values.some((member) => String(member) === String(digitsOf(value) ?? value)))
    if (!isRight) throw new Mismatch(expected)
    return value
  }
  return [convert]
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
}

/** An int64 as a bigint. Every other number stays as it is, in case another schema of its place wants a bigint. */
function numberOf(kind: string, isJson: boolean): Convert {
  const isInteger = /int/.test(kind)
  if (!/^u?int64$/.test(kind)) {
    return (value) => {
      const number = Number(digitsOf(value) ?? (typeof value === 'number' ? value : Number.NaN))
      const isRight = typeof value === 'bigint' || (isInteger ? Number.isSafeInteger(number) : Number.isFinite(number))
      if (!isRight) throw new Mismatch(`must be of type ${kind}`)
      return value
    }
  }
  const isSigned = kind === 'int64'
  const bits = isSigned ? BigInt.asIntN : BigInt.asUintN
  const expected = `must be a 64-bit integer${isSigned ? '' : ' of 0 or more'}, as a bigint`
  const view = new DataView(new ArrayBuffer(8))
  return (value) => {
    if (isJson && Number.isSafeInteger(value) && (isSigned || Number(value) >= 0))
      return bigintOf(value as number, view)
    const digits = isJson ? digitsOf(value) : undefined
    const exact = digits !== undefined && digits.length <= 21 ? BigInt(digits) : value
    if (typeof exact !== 'bigint' || exact !== bits(64, exact)) throw new Mismatch(expected)
    return exact
  }
}

/** A safe integer. `BigInt()` is a call into the engine, which takes four times as long. */
function bigintOf(integer: number, view: DataView): bigint {
  view.setInt32(0, Math.floor(integer / 2 ** 32))
  view.setInt32(4, integer)
  return view.getBigInt64(0)
}

/** Converts by the alternative that the discriminator names, else by all that the value fits: each has its own integers. */
function choice({ discriminator }: Schema, alternatives: readonly Schema[], convertOf: Compile): Convert {
  const [name = '', ...values] = discriminator ?? []
  const converts = alternatives.map(convertOf)
  return (value) => {
    const named = isObject(value) ? values.findIndex((all) => all.includes(String(value[name]))) : -1
    const tried = named < 0 ? converts : converts.slice(named, named + 1)
    let result = value
    const failures = tried.flatMap((convert) => {
      try {
        result = convert(copyOf(result))
        return []
      } catch (error) {
        return [error]
      }
    })
    if (failures.length === tried.length) throw failures.at(-1)
    return result
  }
}

/** Alternatives convert in place, and one may fail after it has converted a part. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]))
}

function contents(schema: Schema, convertOf: Compile): Convert[] {
  const { items, prefixItems = [], properties = {}, required = [], patternProperties = {} } = schema
  const { additionalProperties } = schema
  const first = prefixItems.map(convertOf)
  const rest = items && convertOf(items)
  const fields = new Map(Object.entries(properties).map(([name, field]) => [name, convertOf(field)]))
  const patterns = Object.entries(patternProperties).map(
    ([text, field]) => [new RegExp(text), convertOf(field)] as const,
  )
  const others = additionalProperties && convertOf(additionalProperties)

  function convertItems(value: unknown) {
    if (!Array.isArray(value)) return value
    for (let at = 0; at < value.length; at++) convertPart(value, at, first[at] ?? rest)
    return value
  }
  function convertFields(value: unknown) {
    if (!isObject(value)) return value
    for (const name of required) if (!Object.hasOwn(value, name)) throw new Mismatch('is missing', [name])
    for (const name in value) {
      const convert = fields.get(name)
      if (convert) convertPart(value, name, convert)
      if (!others && patterns.length === 0) continue
      const matching = patterns.filter(([pattern]) => pattern.test(name))
      for (const [, convert] of matching) convertPart(value, name, convert)
      if (matching.length === 0 && !convert) convertPart(value, name, others)
    }
    return value
  }
  const hasFields = fields.size + required.length + patterns.length > 0 || others !== undefined
  return [...(rest || first.length > 0 ? [convertItems] : []), ...(hasFields ? [convertFields] : [])]
}

function convertPart(whole: object, key: string | number, convert: Convert | undefined): void {
  if (!convert) return
  const within = whole as Record<string | number, unknown>
  const part = within[key]
  let result: unknown
  try {
    result = convert(part)
  } catch (error) {
    throw placed(error, key)
  }
  if (result !== part) within[key] = result
}

/** The error, with its path within these keys. */
export function placed(error: unknown, ...keys: (string | number)[]): unknown {
  return error instanceof Mismatch ? new Mismatch(error.problem, [...keys, ...error.path]) : error
}

/** The problem of a value, and its path. */
class Mismatch extends TypeError {
  readonly problem: string
  readonly path: readonly (string | number)[]

  constructor(problem: string, path: readonly (string | number)[] = []) {
    super(`${path.join('/')} ${problem}.`)
    this.problem = problem
    this.path = path
  }
}
