// Reads the API's JSON exactly: an int64 becomes a bigint, every other number a number. What it returns is frozen.
import { LosslessNumber, parse } from 'lossless-json'
import type { components } from '../spec/openapi.d.ts'

type Int64In<Schema> = { [Field in keyof Schema]-?: bigint extends Schema[Field] ? Field : never }[keyof Schema]
type Schemas = components['schemas']
type Int64 = { [Name in keyof Schemas]: Schemas[Name] extends object ? Int64In<Schemas[Name]> : never }[keyof Schemas]

/** Fields that are int64. The compiler checks this table against the OpenAPI document. */
const int64: Record<Int64, true> = { id: true, petId: true }

/** An int64 has no more digits; a field of a later version may have this name and be something else. */
const integer = /^-?\d{1,19}$/

/** @throws SyntaxError when the text is not JSON */
export function parseExact(text: string): unknown {
  return parse(text, (field, value) => {
    return value instanceof LosslessNumber ? numberOf(field, value) : Object.freeze(value)
  })
}

function numberOf(field: string, { value }: LosslessNumber): bigint | number {
  return Object.hasOwn(int64, field) && integer.test(value) ? BigInt(value) : Number(value)
}
