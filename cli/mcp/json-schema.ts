// Schemas of the document as JSON Schema for agents, in which a 64-bit integer is text: agents write JSON with doubles.
import { composing, fieldsOf, isExact, isHidden, plainSchema, reachable, type Schema } from 'exact-openapi/model'

type Node = Record<string, unknown>

/** A 64-bit integer as text; its range is checked apart. */
const patterns = { int64: '^(0|-?[1-9]\\d{0,18})$', uint64: '^(0|[1-9]\\d{0,19})$' }
export const int64Message = 'must be a 64-bit integer in plain decimal digits, as text'

/** The API reads identifiers alike: plain decimal digits, no -0. */
export function isInt64(text: string): boolean {
  return new RegExp(patterns.int64).test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

/**
 * The schema of a request, without readOnly properties. A shared schema is written once, into `definitions`, and referred to as
 * `#/$defs/…`: it may contain itself.
 * @param hidden readOnly properties of the same value, which other parts of a composed schema may require
 */
export function jsonSchema(schema: Schema, definitions: Node, hidden: readonly string[] = []): Node {
  const { pointer, isShared } = schema
  if (!isShared || hidden.length > 0) return written(schema, definitions, hidden)
  const name = pointer.replace(/^#\/(components\/schemas\/)?/, '').replaceAll(/[^\w.-]+/g, '-')
  if (!Object.hasOwn(definitions, name)) {
    definitions[name] = {}
    definitions[name] = written(schema, definitions, [])
  }
  return { $ref: `#/$defs/${name}` }
}

function written(schema: Schema, definitions: Node, outer: readonly string[]): Node {
  const { type, nullable, description, enum: values, format } = schema
  if (isExact(schema)) {
    return {
      type: nullable ? ['string', 'null'] : 'string',
      pattern: patterns[format as keyof typeof patterns],
      ...(description && { description }),
      ...(values && { enum: values.map((value) => (value === null ? null : String(value))) }),
    }
  }
  const hidden = [...outer, ...readOnlyIn(schema)]
  const composed = composing(schema)
  const {
    nullable: _,
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    example,
    default: fallback,
    ...plain
  } = plainSchema(
    { ...schema, ...(schema.properties && { properties: fieldsOf(schema, 'request').properties }) },
    (part) => jsonSchema(part, definitions, composed.includes(part) ? hidden : []),
  )
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([key]) => !key.startsWith('x-'))),
    ...(schema.required && { required: schema.required.filter((name) => !hidden.includes(name)) }),
    ...(type && nullable && { type: [type, 'null'] }),
    ...bound('Minimum', schema.minimum, schema.exclusiveMinimum),
    ...bound('Maximum', schema.maximum, schema.exclusiveMaximum),
  }
}

/** The readOnly properties of the schema and of its `allOf`. */
function readOnlyIn({ properties = {}, allOf = [] }: Schema): string[] {
  const names = Object.keys(properties).filter((name) => isHidden(properties[name] as Schema, 'request'))
  return [...names, ...allOf.flatMap(readOnlyIn)]
}

/** In OpenAPI 3.0, `exclusiveMinimum` says of `minimum` whether it is excluded. */
const bound = (name: string, value: number | undefined, isExclusive = false): Node =>
  value === undefined ? {} : { [isExclusive ? `exclusive${name}` : name.toLowerCase()]: value }

/** A value of the JSON Schema with bigints again, for schemas that all describe its place. */
export function withBigints(schemas: readonly Schema[], value: unknown): unknown {
  const all = [...reachable(schemas, partsIn)]
  if (typeof value === 'string') return all.some(isText) ? value : exactly(all.find(isExact), value)
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => schema.items ?? [])
    return value.map((item) => withBigints(items, item))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      withBigints(
        all.flatMap((schema) => propertyOf(schema, name) ?? []),
        field,
      ),
    ]),
  )
}

/** @throws TypeError beyond 64 bits: the pattern of the argument leaves the range open */
function exactly(schema: Schema | undefined, text: string): unknown {
  if (schema?.format === 'int64' && !isInt64(text)) throw new TypeError(`"${text}" ${int64Message}.`)
  return schema ? BigInt(text) : text
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
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withTexts(field)]))
}
