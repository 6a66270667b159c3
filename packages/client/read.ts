// Reads JSON as the document describes it, exactly: an int64 becomes a bigint, every other number a number. Fields that the
// document does not describe are allowed. What is read is frozen.
import { LosslessNumber, parse } from 'lossless-json'
import type { Schema } from './types.ts'

/** RFC 3339 5.6 */
const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** Whether it is the media type of JSON. */
export const isJson = (type: string) => /^[^/]+\/(.+\+)?json *(;|$)/i.test(type)

/** Reads JSON by a schema. */
export type Read = (schema: Schema, value: unknown, place: string) => unknown

/** @throws SyntaxError when the text is not JSON, and TypeError where it differs from the schema */
export function readJson(read: Read, schema: Schema, text: string): unknown {
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

/** @param schemas what others refer to, by name */
export function readerOf(schemas: Readonly<Record<string, Schema>>): Read {
  /** @throws TypeError naming the place that differs */
  function read(schema: Schema, value: unknown, place: string): unknown {
    const { $ref, type, format, properties = {}, required = [], items, prefixItems = [] } = schema
    const { patternProperties = {}, additionalProperties } = schema
    if ($ref !== undefined) return read(schemas[$ref] as Schema, value, place)
    if (value === null && schema.nullable) return value
    const chosen = [schema.oneOf, schema.anyOf].reduce(
      (one, all) => (all ? readAny(schema, all, one, place) : one),
      value,
    )
    const combined = (schema.allOf ?? []).reduce((one, branch) => read(branch, one, place), chosen)
    const result = type === 'integer' || type === 'number' ? numberOf(combined, format ?? type, place) : combined
    const isRight =
      (type !== 'string' || (typeof result === 'string' && (format !== 'date-time' || dateTime.test(result)))) &&
      (type !== 'boolean' || typeof result === 'boolean') &&
      (type !== 'null' || result === null) &&
      (type !== 'array' || Array.isArray(result)) &&
      (type !== 'object' || isObject(result)) &&
      (!schema.enum || schema.enum.some((one) => String(one) === String(plain(result))))
    if (!isRight) throw differs(place, schema.enum ? `one of ${schema.enum.join(', ')}` : `of type ${format ?? type}`)
    if (Array.isArray(result)) {
      return result.map((one, at) => read(prefixItems[at] ?? items ?? {}, one, `${place}/${at}`))
    }
    if (!isObject(result)) return result
    const patterns = Object.entries(patternProperties).map(([text, field]) => [new RegExp(text), field] as const)
    const missing = required.find((name) => !Object.hasOwn(result, name))
    if (missing !== undefined) throw new TypeError(`${place}/${missing} is missing.`)
    const fields = Object.entries(result).map(([name, one]) => {
      const known = Object.hasOwn(properties, name) ? [properties[name] as Schema] : []
      const found = [...known, ...patterns.flatMap(([pattern, field]) => (pattern.test(name) ? [field] : []))]
      const all = found.length > 0 || !additionalProperties ? found : [additionalProperties]
      return [name, all.reduce((value, field) => read(field, value, `${place}/${name}`), one)]
    })
    return Object.fromEntries(fields)
  }

  /** By the one that the discriminator names, or by all that the value fits: each has integers of its own. */
  function readAny({ discriminator }: Schema, alternatives: readonly Schema[], value: unknown, place: string): unknown {
    const [name = '', ...values] = discriminator ?? []
    const named = isObject(value) ? values.findIndex((all) => all.includes(String(value[name]))) : -1
    const tried = named < 0 ? alternatives : alternatives.slice(named, named + 1)
    let result = value
    const failures = tried.flatMap((one) => {
      try {
        result = read(one, result, place)
        return []
      } catch (error) {
        return [error]
      }
    })
    if (failures.length === tried.length) throw failures.at(-1)
    return result
  }

  return read
}

/** An int64 as a bigint. Every other number stays as it is, in case that another schema of its place wants a bigint. */
function numberOf(value: unknown, kind: string, place: string): unknown {
  if (!/^u?int64$/.test(kind)) {
    const number = plain(value)
    if (typeof value === 'bigint' || (/int/.test(kind) ? Number.isSafeInteger(number) : Number.isFinite(number)))
      return value
    throw differs(place, `of type ${kind}`)
  }
  const isText = value instanceof LosslessNumber && /^-?\d{1,20}$/.test(value.value)
  const exact = isText ? BigInt(value.value) : value
  const bits = kind === 'int64' ? BigInt.asIntN : BigInt.asUintN
  if (typeof exact === 'bigint' && exact === bits(64, exact)) return exact
  throw differs(place, `a 64-bit integer${kind === 'int64' ? '' : ' of 0 or more'}, as a bigint`)
}

const plain = (value: unknown) => (value instanceof LosslessNumber ? Number(value.value) : value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)

const differs = (place: string, wanted: string) => new TypeError(`${place} must be ${wanted}.`)
