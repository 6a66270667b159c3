// Schemas with their references resolved. A schema that is referred to from several places is one object, so a recursive
// schema is a cycle.
import type { OpenAPIV3 } from 'openapi-types'
import type { RawDocument } from './document.ts'
import { childOf, componentName, follow, type Ref } from './references.ts'

type Given = OpenAPIV3.SchemaObject & { items?: Given | Ref; 'x-extensible-enum'?: readonly string[] }
type Nested = 'items' | 'properties' | 'additionalProperties' | 'allOf' | 'oneOf' | 'anyOf' | 'not' | 'discriminator'

/** Every keyword of OpenAPI 3.0 under its own name. A reference hides the keywords beside it, as the specification says. */
export interface Schema extends Omit<Given, Nested | 'type'> {
  /** Where it stands in the document. */
  pointer: string
  /** The name of a component. */
  name?: string | undefined
  /** Whether any reference leads to it. */
  isShared?: boolean
  type?: OpenAPIV3.NonArraySchemaObjectType | 'array' | undefined
  items?: Schema
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
}

export type ReadSchema = (node: object, pointer: string) => Schema

interface Schemas {
  read: ReadSchema
  /** All that were read, by their pointers. */
  known: ReadonlyMap<string, Schema>
}

export function schemasOf(document: RawDocument): Schemas {
  const known = new Map<string, Schema>()

  function read(given: object, place: string): Schema {
    const { node, pointer } = follow(document, given as Given | Ref, place)
    const schema = known.get(pointer) ?? readNew(node, pointer)
    if (pointer !== place) schema.isShared = true
    return schema
  }

  function readNew(node: Given, pointer: string): Schema {
    const schema: Schema = { pointer }
    known.set(pointer, schema) // before its parts are read: they may refer to it
    const { items, properties, additionalProperties, allOf, oneOf, anyOf, not, discriminator, ...keywords } = node
    const all = (key: string, nodes: readonly object[]) => nodes.map((one, at) => read(one, childOf(pointer, key, at)))
    const name = componentName(pointer, 'schemas')
    Object.assign(schema, keywords, {
      ...(name !== undefined && { name }),
      ...(items && { items: read(items, childOf(pointer, 'items')) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, one]) => [key, read(one, childOf(pointer, 'properties', key))]),
        ),
      }),
      ...(additionalProperties !== undefined && {
        additionalProperties:
          typeof additionalProperties === 'object'
            ? read(additionalProperties, childOf(pointer, 'additionalProperties'))
            : additionalProperties,
      }),
      ...(allOf && { allOf: all('allOf', allOf) }),
      ...(oneOf && { oneOf: all('oneOf', oneOf) }),
      ...(anyOf && { anyOf: all('anyOf', anyOf) }),
      ...(not && { not: read(not, childOf(pointer, 'not')) }),
    })
    if (discriminator) schema.discriminator = discriminatorOf(discriminator, schema)
    return schema
  }

  return { read, known }
}

/** OpenAPI 3.0.3, "Discriminator Object": `mapping` has names or references; a schema's own name needs no mapping. */
function discriminatorOf({ propertyName, mapping = {} }: OpenAPIV3.DiscriminatorObject, whole: Schema): Discriminator {
  const choices = (whole.oneOf ?? whole.anyOf ?? []).map((schema) => {
    const { pointer, name, properties } = schema
    const mapped = Object.keys(mapping).filter((value) => mapping[value] === pointer || mapping[value] === name)
    const implied: readonly string[] = name === undefined ? (properties?.[propertyName]?.enum ?? []) : [name]
    return { schema, values: mapped.length > 0 ? mapped : implied }
  })
  return { propertyName, choices }
}

/** A property of the schema's own, or of what it is composed of. */
export function propertyOf({ properties = {}, allOf = [] }: Schema, name: string): Partial<Schema> & Schema {
  const none: Schema = { pointer: '' }
  if (Object.hasOwn(properties, name)) return properties[name] as Schema
  return allOf.map((part) => propertyOf(part, name)).find((found) => found.pointer !== '') ?? none
}

/** OpenAPI 3.0.3, "Schema Object": a readOnly property is not sent in a request, a writeOnly one not in a response. */
export function isHidden({ readOnly, writeOnly }: Partial<Schema>, place: 'request' | 'response'): boolean {
  return (place === 'request' ? readOnly : writeOnly) === true
}

/** The properties that an object has in a request or a response, and those that it must have there. */
export function fieldsOf(schema: Schema, place: 'request' | 'response') {
  const { properties = {}, required = [] } = schema
  return {
    properties: Object.fromEntries(Object.entries(properties).filter(([, one]) => !isHidden(one, place))),
    required: required.filter((name) => !isHidden(propertyOf(schema, name), place)),
  }
}
