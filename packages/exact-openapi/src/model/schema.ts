// Schemas with their references resolved. A schema that is referred to from several places is one object, so a recursive
// schema is a cycle.
import type { OpenAPIV3 } from 'openapi-types'
import { dialectOf, isOpenApi30 } from './dialect.ts'
import type { RawDocument } from './document.ts'
import { childOf, componentName, follow, isRef, type Ref, step } from './references.ts'

type WrittenSchema = OpenAPIV3.SchemaObject & {
  items?: WrittenSchema | Ref
  'x-extensible-enum'?: readonly string[]
} & Partial<Record<SchemaKeyword, never>>
type Nested = 'discriminator' | 'type' | 'additionalProperties' | SchemaKeyword
type SchemaKeyword =
  | (typeof schemaKeywords)[number]
  | (typeof schemaMapKeywords)[number]
  | (typeof schemaListKeywords)[number]

/** The keywords whose value is a schema. */
export const schemaKeywords = [
  'items',
  'not',
  'contains',
  'propertyNames',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const
/** Those whose value has schemas by name. */
export const schemaMapKeywords = ['properties', 'patternProperties', 'dependentSchemas'] as const
/** Those whose value is a list of schemas. */
export const schemaListKeywords = ['allOf', 'oneOf', 'anyOf', 'prefixItems'] as const

/**
 * Every keyword of OpenAPI 3.0 under its own name, and those of JSON Schema 2020-12 that it lacks. In 3.0, a reference hides
 * the keywords beside it.
 */
export interface Schema extends Omit<WrittenSchema, Nested> {
  /** Where it stands in the document. */
  pointer: string
  /** The name of a component. */
  name?: string | undefined
  /** Whether any reference leads to it. */
  isShared?: boolean
  /** Of a number that stands beside an int64: its integers of 64 bits are bigints. */
  hasBigints?: boolean
  /** Those of its parts, if it has none itself: the first is its default. */
  defaults?: readonly unknown[]
  type?: OpenAPIV3.NonArraySchemaObjectType | 'array' | 'null' | undefined
  items?: Schema
  /** All of them; `example` is the first one. */
  examples?: readonly unknown[]
  contentEncoding?: string
  contentMediaType?: string
  contentSchema?: unknown
  prefixItems?: readonly Schema[]
  contains?: Schema
  minContains?: number
  maxContains?: number
  propertyNames?: Schema
  patternProperties?: Readonly<Record<string, Schema>>
  dependentSchemas?: Readonly<Record<string, Schema>>
  dependentRequired?: Readonly<Record<string, readonly string[]>>
  unevaluatedItems?: Schema
  unevaluatedProperties?: Schema
  if?: Schema
  then?: Schema
  else?: Schema
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: boolean | Schema
  allOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  not?: Schema
  discriminator?: Discriminator
}

/** The property whose value names the branch of a `oneOf` or `anyOf` that an object is of. */
export interface Discriminator {
  propertyName: string
  /**
   * Each branch with its values: those of `mapping`, else the name of its schema. A schema without a name has those that
   * its own property allows.
   */
  choices: readonly { schema: Schema; values: readonly string[] }[]
  /** As the document writes it. */
  mapping: Readonly<Record<string, string>>
  /** For other values, and for none: a name or a reference. */
  defaultMapping?: string
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isString = (value: unknown) => typeof value === 'string'
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isType = (value: unknown) =>
  isString(value) && /^(string|number|integer|boolean|array|object|null)$/.test(String(value))
const isDivisor = (value: unknown) => isNumber(value) && Number(value) > 0
const isSchema = (value: unknown) => isBoolean(value) || isObject(value)
const hasLists = (value: unknown) => isObject(value) && Object.values(Object(value)).every(Array.isArray)

/** By keyword, which values it has. Others are odd parts, such as `required: true` of a property: if tolerated, they mean nothing. */
const expected: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  [
    [isType, ['type']],
    [isString, ['format', 'pattern']],
    [Array.isArray, ['required', 'enum', ...schemaListKeywords]],
    [isObject, schemaMapKeywords],
    [hasLists, ['dependentRequired']],
    [isBoolean, ['nullable', 'readOnly', 'writeOnly', 'uniqueItems', 'exclusiveMinimum', 'exclusiveMaximum']],
    [isNumber, ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']],
    [isNumber, ['minProperties', 'maxProperties', 'minContains', 'maxContains']],
    [isDivisor, ['multipleOf']],
    [isSchema, ['additionalProperties']],
  ].flatMap(([isValue, keys]) => (keys as string[]).map((key) => [key, isValue as (value: unknown) => boolean])),
)

export type ReadSchema = (node: object, pointer: string) => Schema

interface Schemas {
  read: ReadSchema
  /** All that were read, by their pointers. */
  known: ReadonlyMap<string, Schema>
}

export function schemasOf(document: RawDocument): Schemas {
  const known = new Map<string, Schema>()
  const inFull = dialectOf(document.openapi)
  const hidesSiblings = isOpenApi30(document.openapi)

  /** What is left of schemas that have been found: a document may nest them deeper than the stack is. */
  const waiting: (() => (() => void) | undefined)[] = []
  /** The schema that a reference leads to. */
  const targets = new Map<string, Schema>()

  function read(given: object, place: string): Schema {
    const schema = find(given, place)
    const discriminators: (() => void)[] = []
    for (let fill = waiting.pop(); fill; fill = waiting.pop()) {
      const later = fill()
      if (later) discriminators.push(later)
    }
    for (const fill of discriminators) fill() // once their branches have been read
    return schema
  }

  /** In 3.0, a reference hides what stands beside it. */
  const isAlone = (node: object): node is Ref => isRef(node) && (hidesSiblings || Object.keys(node).length === 1)

  function find(given: object, place: string): Schema {
    const passed = new Set<string>()
    let [node, pointer] = [given, place]
    while (isAlone(node) && !targets.has(pointer)) {
      passed.add(pointer)
      const next = step<object>(document, node, place)
      if (passed.has(next.pointer))
        follow(document, given, place) // which throws
      ;[node, pointer] = [next.node, next.pointer]
    }
    const schema = targets.get(pointer) ?? known.get(pointer) ?? start(node, pointer)
    for (const text of passed) targets.set(text, schema)
    if (passed.size > 0) schema.isShared = true
    return schema
  }

  function start(given: object, pointer: string): Schema {
    const schema: Schema = { pointer }
    known.set(pointer, schema) // before its parts are read: they may refer to it
    const { discriminator, ...node } = inFull(isSchema(given) ? given : {})
    const name = componentName(pointer, 'schemas')
    Object.assign(schema, node, name !== undefined && { name })
    for (const [key, value] of Object.entries(schema))
      if (expected.get(key)?.(value) === false) Reflect.deleteProperty(schema, key)
    if (isExactEnum(schema)) schema.type = 'integer'
    waiting.push(() => {
      findParts(schema, node as WrittenSchema)
      return discriminator && (() => Object.assign(schema, { discriminator: discriminatorOf(discriminator, schema) }))
    })
    return schema
  }

  function findParts(schema: Schema, node: WrittenSchema): void {
    const { pointer } = schema
    for (const key of schemaKeywords) {
      const part: object | undefined = node[key as 'not']
      if (part !== undefined) schema[key] = find(part, childOf(pointer, key))
    }
    for (const key of schemaMapKeywords) {
      const parts: Record<string, object> | undefined = node[key as 'properties']
      if (!parts) continue
      const entries = Object.entries(parts).map(
        ([name, part]) => [name, find(part as object, childOf(pointer, key, name))] as const,
      )
      schema[key] = Object.fromEntries(entries)
    }
    for (const key of schemaListKeywords) {
      const parts: readonly object[] | undefined = schema[key]
      if (parts) schema[key] = parts.map((part, at) => find(part as object, childOf(pointer, key, at)))
    }
    const { additionalProperties: others } = node
    if (typeof others === 'object') schema.additionalProperties = find(others, childOf(pointer, 'additionalProperties'))
  }

  return { read, known }
}

/** OpenAPI 3.0.3, "Discriminator Object": `mapping` has names or references; a schema's own name needs no mapping. */
function discriminatorOf(discriminatorObject: OpenAPIV3.DiscriminatorObject, whole: Schema): Discriminator {
  const {
    propertyName,
    mapping = {},
    defaultMapping,
  } = discriminatorObject as typeof discriminatorObject & { defaultMapping?: string }
  const choices = (whole.oneOf ?? whole.anyOf ?? []).map((schema) => {
    const { pointer, name, properties } = schema
    const mapped = Object.keys(mapping).filter((value) => mapping[value] === pointer || mapping[value] === name)
    const implied: readonly string[] = properties?.[propertyName]?.enum ?? (name === undefined ? [] : [name])
    return { schema, values: mapped.length > 0 ? mapped : implied }
  })
  return { propertyName, choices, mapping, ...(defaultMapping !== undefined && { defaultMapping }) }
}

/** Values of an int64 without a type are bigints like those with one. */
const isExactEnum = ({ type, format = '', enum: values = [] }: Schema): boolean =>
  type === undefined && /^u?int64$/.test(format) && values.length > 0 && values.every(isInteger)
const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isInteger(value)

/** Whether a number of the schema may have more digits than a double holds: it is a bigint. */
export const isExact = ({ type, format = '', enum: values }: Schema): boolean =>
  (type === 'integer' || (!type && !values)) && /^u?int64$/.test(format)

/** A schema without keywords. */
export const anything: Schema = { pointer: '' }

/** A property of the schema's own, or of what it is composed of; `anything` if there is none. */
export function propertyOf({ properties = {}, allOf = [] }: Schema, name: string): Schema {
  if (Object.hasOwn(properties, name)) return properties[name] as Schema
  return allOf.map((part) => propertyOf(part, name)).find((schema) => schema !== anything) ?? anything
}

/** OpenAPI 3.0.3, "Schema Object": a readOnly property is not sent in a request, a writeOnly one not in a response. */
export function isHidden({ readOnly, writeOnly }: Partial<Schema>, direction: 'request' | 'response'): boolean {
  return (direction === 'request' ? readOnly : writeOnly) === true
}

/** The properties that an object has in a request or a response, and those that it must have there. */
export function fieldsOf(schema: Schema, direction: 'request' | 'response') {
  const { properties = {}, required = [] } = schema
  return {
    properties: Object.fromEntries(Object.entries(properties).filter(([, part]) => !isHidden(part, direction))),
    required: required.filter((name) => !isHidden(propertyOf(schema, name), direction)),
  }
}
