// Reads the API's JSON exactly: an int64 becomes a bigint, every other number a number. What it returns is frozen.
import { LosslessNumber, parse } from 'lossless-json'
import type { components } from '../spec/openapi.d.ts'

type HasInt64<Value> = bigint extends Value ? true : bigint[] extends Value ? true : false
type Int64In<Schema> = { [Field in keyof Schema]-?: true extends HasInt64<Schema[Field]> ? Field : never }[keyof Schema]
type Schemas = components['schemas']
type Int64 = { [Name in keyof Schemas]: Schemas[Name] extends object ? Int64In<Schemas[Name]> : never }[keyof Schemas]

/** Fields that are int64, or arrays of them. The compiler checks this table against the OpenAPI document. */
const int64: Record<Int64, true> = { id: true, petId: true, removed: true }

/** An int64 has no more digits; a field of a later version may have this name and be something else. */
const integer = /^-?\d{1,19}$/

/** @throws SyntaxError when the text is not JSON */
export function parseExact(text: string): unknown {
  return parse(text, function (this: unknown, field, value) {
    if (value instanceof LosslessNumber) return Array.isArray(this) ? value : numberOf(field, value) // its array has a name
    if (Array.isArray(value) && value.some(isLossless)) {
      return Object.freeze(value.map((item) => (isLossless(item) ? numberOf(field, item) : item)))
    }
    return Object.freeze(value)
  })
}

const isLossless = (value: unknown) => value instanceof LosslessNumber

function numberOf(field: string, { value }: LosslessNumber): bigint | number {
  return Object.hasOwn(int64, field) && integer.test(value) ? BigInt(value) : Number(value)
}
