// What schemas consist of.
import { isPattern, patternOf } from './patterns.ts'
import { type Schema, schemaKeywords, schemaListKeywords, schemaMapKeywords } from './schema.ts'

/** The schemas of which all or some describe the same value. */
export const alternativesOf = ({ allOf = [], oneOf = [], anyOf = [] }: Schema): Schema[] => [
  ...allOf,
  ...oneOf,
  ...anyOf,
]

/** The same, and what it must not be. */
export const composing = (schema: Schema): Schema[] => [...alternativesOf(schema), ...(schema.not ? [schema.not] : [])]

/** The same, and those of conditions: all schemas that may describe a value of the schema. */
export const sameValue = (schema: Schema): Schema[] => {
  const { if: condition, then, else: otherwise, dependentSchemas = {} } = schema
  const others = [condition, then, otherwise, ...Object.values(dependentSchemas)]
  return [...composing(schema), ...others.flatMap((part) => part ?? [])]
}

/** All schemas that a schema is made of. */
export function partsOf(schema: Schema): Schema[] {
  const parts: Schema[] = []
  for (const key of schemaKeywords) if (schema[key]) parts.push(schema[key])
  if (typeof schema.additionalProperties === 'object') parts.push(schema.additionalProperties)
  for (const key of schemaMapKeywords) for (const part of Object.values(schema[key] ?? {})) parts.push(part)
  for (const key of schemaListKeywords) for (const part of schema[key] ?? []) parts.push(part)
  return parts
}

/** These schemas, their parts, and the parts of those. */
export function reachable(schemas: readonly Schema[], partsIn: (schema: Schema) => Schema[]): ReadonlySet<Schema> {
  const all = new Set(schemas)
  for (const schema of all) for (const part of partsIn(schema)) all.add(part)
  return all
}

/** A schema and its parts of `allOf`, at any depth: what a value has to fit. */
export const withAllOf = (schema: Schema): Schema[] => [...reachable([schema], ({ allOf = [] }) => [...allOf])]

/** Those of the schemas that are or contain one that passes: each schema is looked at once. */
export function leadingTo(schemas: readonly Schema[], passes: (schema: Schema) => boolean): ReadonlySet<Schema> {
  const parents = new Map<Schema, Schema[]>()
  for (const schema of schemas) {
    for (const part of partsOf(schema)) {
      const known = parents.get(part) ?? []
      known.push(schema)
      parents.set(part, known)
    }
  }
  return reachable(schemas.filter(passes), (schema) => parents.get(schema) ?? [])
}

export type SchemaTest = (schema: Schema) => boolean

/** Whether a schema, or one that it contains, passes the test. */
export function leadsTo(passes: SchemaTest): SchemaTest {
  const known = new Map<Schema, boolean>()
  return (schema) => {
    const leads = known.get(schema) ?? [...reachable([schema], partsOf)].some(passes)
    known.set(schema, leads)
    return leads
  }
}

/** The schemas that a schema has for a property; without a name, for one that it does not list. */
export function propertiesAt(schema: Schema, name?: string): Schema[] {
  const { properties = {}, patternProperties = {}, additionalProperties, unevaluatedProperties } = schema
  const isOf = (pattern: string) => name === undefined || (isPattern(pattern) && patternOf(pattern).test(name))
  const patterns = Object.entries(patternProperties).filter(([pattern]) => isOf(pattern))
  const schemas = name !== undefined && Object.hasOwn(properties, name) ? [properties[name] as Schema] : []
  const listed = [...schemas, ...patterns.map(([, part]) => part)]
  const others = schemas.length > 0 ? [] : [additionalProperties, unevaluatedProperties].filter(isSchema)
  return [...listed, ...others]
}

/** The schemas that a schema has for an item. */
export function itemsAt({ prefixItems = [], items, unevaluatedItems, contains }: Schema, at: number): Schema[] {
  return [...(at < prefixItems.length ? [prefixItems[at]] : [items, unevaluatedItems]), contains].filter(isSchema)
}

const isSchema = (part: boolean | Schema | undefined): part is Schema => typeof part === 'object'

/**
 * The schemas that a value has to fit, whatever it is: a part of `allOf`, such as what a reference with keywords beside it leads
 * to, and the only branch of a union that is not null.
 */
export function certain({ allOf = [], oneOf = [], anyOf = [] }: Schema): Schema[] {
  const [branch, ...others] = [...oneOf, ...anyOf].filter(({ type }) => type !== 'null')
  return [...allOf, ...(branch && others.length === 0 ? [branch] : [])]
}

/**
 * An annotation of a part is one of the whole (JSON Schema 2020-12, Validation, 7.7.1 and 9). Each schema comes after its parts.
 * @returns a schema that consists of itself: a value had to be checked against it again and again
 */
export function annotate(schemas: readonly Schema[]): Schema | undefined {
  const wholes = new Map<Schema, Schema[]>()
  const left = new Map<Schema, number>()
  for (const schema of schemas) {
    const parts = composing(schema)
    left.set(schema, parts.length)
    for (const part of parts) {
      const known = wholes.get(part) ?? []
      known.push(schema)
      wholes.set(part, known)
    }
  }
  const ready = schemas.filter((schema) => left.get(schema) === 0)
  for (const schema of ready) {
    left.delete(schema)
    annotateWhole(schema, certain(schema))
    for (const whole of wholes.get(schema) ?? []) {
      const count = Number(left.get(whole)) - 1
      left.set(whole, count)
      if (count === 0) ready.push(whole)
    }
  }
  return cycleIn(left)
}

function annotateWhole(schema: Schema, parts: readonly Schema[]): void {
  const defaults = parts.flatMap((part) => (part.default === undefined ? [] : [part.default]))
  if (schema.default === undefined && defaults.length > 0) Object.assign(schema, { default: defaults[0], defaults })
  for (const side of ['readOnly', 'writeOnly'] as const) if (parts.some((part) => part[side])) schema[side] = true
}

/** Every schema that is left has a part that is left. */
function cycleIn(left: ReadonlyMap<Schema, unknown>): Schema | undefined {
  const passed = new Set<Schema>()
  let [schema] = left.keys()
  while (schema && !passed.has(schema)) {
    passed.add(schema)
    schema = composing(schema).find((part) => left.has(part))
  }
  return schema
}

/** So many schemas may contain each other before a value: compilers of schemas, and what they compile, call themselves. */
const MOST_LEVELS = 200

/** The first schema that lies deeper within these. */
export function tooDeepIn(schemas: readonly Schema[]): Schema | undefined {
  const seen = new Set(schemas)
  let level = [...seen]
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth++) {
    level = level.flatMap(partsOf).filter((schema) => !seen.has(schema) && seen.add(schema))
  }
  return level[0]
}
