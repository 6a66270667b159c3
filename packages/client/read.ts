// Reads JSON as the document describes it, exactly: an int64 becomes a bigint, every other number a number. Fields that the
// document does not describe are allowed. What is read is frozen.
import { LosslessNumber, parse } from 'lossless-json'
import { schemas } from './operations.ts'
import type { Schema } from './types.ts'

/** RFC 3339 5.6 */
const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** @throws SyntaxError when the text is not JSON, and TypeError where it differs from the schema */
export function readJson(schema: Schema, text: string): unknown {
  return finish(read(schema, parse(text), 'body'))
}

/** Numbers that no schema describes, and frozen objects. */
function finish(value: unknown): unknown {
  if (value instanceof LosslessNumber) return Number(value.value)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Record<string, unknown>
  for (const key of Object.keys(fields)) fields[key] = finish(fields[key])
  return Object.freeze(value)
}

/**
 * A value with its numbers as the schema wants them; within objects, they are replaced.
 * @throws TypeError naming the place that differs
 */
export function read(schema: Schema, value: unknown, place: string): unknown {
  const { $ref, type, format, properties = {}, required = [], items, additionalProperties } = schema
  if ($ref) return read(schemas[$ref.split('/').at(-1) as string] as Schema, value, place)
  if (value === null && schema.nullable) return value
  const alternatives = schema.oneOf ?? schema.anyOf
  const whole = alternatives ? readAny(alternatives, value, place) : value
  const combined = (schema.allOf ?? []).reduce((one, branch) => read(branch, one, place), whole)
  const result = type === 'integer' || type === 'number' ? numberOf(combined, format ?? type, place) : combined
  const isRight =
    (type !== 'string' || (typeof result === 'string' && (format !== 'date-time' || dateTime.test(result)))) &&
    (type !== 'boolean' || typeof result === 'boolean') &&
    (type !== 'array' || Array.isArray(result)) &&
    (type !== 'object' || isObject(result)) &&
    (!schema.enum || schema.enum.some((one) => String(one) === String(result)))
  if (!isRight) throw differs(place, schema.enum ? `one of ${schema.enum.join(', ')}` : `of type ${format ?? type}`)
  if (Array.isArray(result) && items) return result.map((one, at) => read(items, one, `${place}/${at}`))
  if (!isObject(result)) return result
  const missing = required.find((name) => !Object.hasOwn(result, name))
  if (missing !== undefined) throw new TypeError(`${place}/${missing} is missing.`)
  for (const [name, one] of Object.entries(result)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (field) result[name] = read(field, one, `${place}/${name}`)
  }
  return result
}

/** The first of the alternatives that the value is. */
function readAny([first, ...others]: readonly Schema[], value: unknown, place: string): unknown {
  try {
    return read(first as Schema, value, place)
  } catch (error) {
    if (others.length === 0) throw error
    return readAny(others, value, place)
  }
}

function numberOf(value: unknown, kind: string, place: string): number | bigint {
  if (kind === 'int64') {
    const isText = value instanceof LosslessNumber && /^-?\d{1,19}$/.test(value.value)
    const exact = isText ? BigInt(value.value) : value
    if (typeof exact === 'bigint' && exact === BigInt.asIntN(64, exact)) return exact
    throw differs(place, 'a 64-bit integer, as a bigint')
  }
  const number = value instanceof LosslessNumber ? Number(value.value) : value
  if (kind.startsWith('int') ? Number.isSafeInteger(number) : Number.isFinite(number)) return number as number
  throw differs(place, `of type ${kind}`)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)

const differs = (place: string, wanted: string) => new TypeError(`${place} must be ${wanted}.`)
