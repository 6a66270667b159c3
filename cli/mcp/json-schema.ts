// Schemas of the document as JSON Schema for agents, in which a 64-bit integer is text: agents write JSON with doubles.
import { plainSchema, reachable, type Schema } from 'exact-openapi'

type Node = Record<string, unknown>

/** A 64-bit integer as text. */
export const int64Pattern = /^-?(0|[1-9]\d{0,18})$/
const int64 = { type: 'string', pattern: int64Pattern.source }
const isInt64 = ({ type, format }: Schema) => type === 'integer' && format === 'int64'

/** A shared schema is written once, into `definitions`, and referred to as `#/$defs/…`: it may contain itself. */
export function jsonSchema(schema: Schema, definitions: Node): Node {
  const { pointer, isShared } = schema
  if (!isShared) return written(schema, definitions)
  const name = pointer.replace(/^#\/(components\/schemas\/)?/, '').replaceAll(/[^\w.-]+/g, '-')
  if (!Object.hasOwn(definitions, name)) {
    definitions[name] = {}
    definitions[name] = written(schema, definitions)
  }
  return { $ref: `#/$defs/${name}` }
}

function written(schema: Schema, definitions: Node): Node {
  const { type, nullable, description, enum: values } = schema
  if (isInt64(schema)) {
    return { ...int64, ...(description && { description }), ...(values && { enum: values.map(String) }) }
  }
  const {
    nullable: _,
    example,
    default: fallback,
    ...plain
  } = plainSchema(schema, (part) => jsonSchema(part, definitions))
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([key]) => !key.startsWith('x-'))),
    ...(type && nullable && { type: [type, 'null'] }),
    ...bound(schema, 'minimum', 'exclusiveMinimum'),
    ...bound(schema, 'maximum', 'exclusiveMaximum'),
  }
}

/** In OpenAPI 3.0, `exclusiveMinimum` says of `minimum` whether it is excluded. */
function bound(schema: Schema, name: 'minimum' | 'maximum', exclusive: 'exclusiveMinimum' | 'exclusiveMaximum'): Node {
  const { [name]: value, [exclusive]: isExclusive } = schema
  return isExclusive ? { [name]: undefined, [exclusive]: value } : { [exclusive]: undefined }
}

/** A value of the JSON Schema with bigints again, for schemas that all describe its place. */
export function withBigints(schemas: readonly Schema[], value: unknown): unknown {
  const all = [...reachable(schemas, partsIn)]
  if (typeof value === 'string') return all.some(isInt64) && !all.some(isText) ? BigInt(value) : value
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => schema.items ?? [])
    return value.map((item) => withBigints(items, item))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      withBigints(
        all.flatMap((schema) => propertyOf(schema, name) ?? []),
        one,
      ),
    ]),
  )
}

const isText = ({ type }: Schema) => type === 'string'

function propertyOf({ properties = {}, additionalProperties: others }: Schema, name: string): Schema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name]
  return typeof others === 'object' ? others : undefined
}

const partsIn = ({ allOf = [], oneOf = [], anyOf = [] }: Schema) => [...allOf, ...oneOf, ...anyOf]

/** A result with its bigints as text. */
export function withTexts(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(withTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one)]))
}
