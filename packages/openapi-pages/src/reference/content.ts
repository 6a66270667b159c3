// What a schema contains: the properties of an object and of all that it is composed of, conditions, and alternatives.
import type { Schema } from 'exact-openapi/model'
import { type Alternative, type Content, type Field, nothing, propertyField } from './fields.ts'
import type { Ids } from './ids.ts'
import { constantsIn, isNothing, orNull, typeName, typeOf } from './types.ts'

/** So deep do request bodies open schemas that have a section of their own. */
const DEEPEST = 4

export interface Options {
  ids: Ids
  /** By a schema with a discriminator, those that extend it. */
  children: ReadonlyMap<Schema, readonly Schema[]>
  /** Also opens schemas that have a section of their own. */
  isComplete?: boolean
  /** Without fields that only the other one has. */
  direction?: 'request' | 'response'
}

const unseen = { request: 'readOnly', response: 'writeOnly' } as const

/** The schemas of the document that have a discriminator, but no alternatives, with those that extend them. */
export function childrenIn(schemas: Iterable<Schema>): Map<Schema, Schema[]> {
  const children = new Map<Schema, Schema[]>()
  for (const child of schemas) {
    for (const parent of child.allOf ?? []) {
      if (parent.discriminator) children.set(parent, [...(children.get(parent) ?? []), child])
    }
  }
  return children
}

/** Unless the schema has a section of its own. */
export function ownContent(owner: string, schema: Schema | undefined, options: Options): Content {
  return schema?.name === undefined || options.isComplete ? contentOf(owner, schema, options) : nothing
}

/** @param owner what the ids of the fields begin with */
export function contentOf(owner: string, root: Schema | undefined, options: Options): Content {
  const { ids, children, isComplete = false, direction } = options
  return root ? open(root, '', []) : nothing

  function open(schema: Schema, prefix: string, within: readonly Schema[]): Content {
    if (within.includes(schema)) return nothing
    const { required = [], items, allOf = [] } = schema
    const path = [...within, schema]
    const visible = partsIn(schema, prefix).filter(([, part]) => !(direction && part[unseen[direction]]))
    const direct = visible.map(([key, part, isCondition = false]): Field => {
      const name = key.startsWith('[') ? `${prefix.slice(0, -1)}${key}` : `${prefix}${key}`
      const isRequired = !isCondition && required.includes(key)
      return {
        ...propertyField(ids(`${owner}-${name}`), { name, key }, part, isRequired, nested(part, name, path)),
        isCondition,
      }
    })
    const only = orNull(schema)
    const parts = [
      ...allOf.map((part) => open(part, prefix, path)),
      ...(only && isOpened(only, path) ? [open(only, prefix, path)] : []),
      ...(items ? [nested(items, `${prefix.slice(0, -1)}[]`, path)] : []),
    ]
    return {
      fields: mergedOf([...direct, ...parts.flatMap(({ fields }) => fields)]),
      alternatives: [...alternativesOf(schema, prefix, path), ...parts.flatMap(({ alternatives }) => alternatives)],
    }
  }

  /** The content of a part, whose fields have its name before their own. */
  function nested(schema: Schema, name: string, within: readonly Schema[]): Content {
    return isOpened(schema, within) ? open(schema, `${name}.`, within) : nothing
  }

  function isOpened({ name }: Schema, within: readonly Schema[]): boolean {
    return name === undefined || (isComplete && within.length < DEEPEST)
  }

  function alternativesOf(schema: Schema, prefix: string, within: readonly Schema[]) {
    const { oneOf, anyOf, discriminator } = schema
    if (orNull(schema) || constantsIn(schema).length > 0) return []
    const branches = (oneOf ?? anyOf ?? childrenOf(schema, within)).map((branch): Alternative => {
      const chosen = discriminator?.choices.find((choice) => choice.schema === branch)?.values ?? mapped(schema, branch)
      const content = isOpened(branch, within) ? open(branch, prefix, within) : nothing
      const name = chosen.join(' or ') || (branch.title ?? typeName(branch))
      const description = branch.name === undefined ? (branch.description ?? '') : ''
      return { id: '', name, description, type: typeOf(branch), ...content }
    })
    const isShown = branches.some(
      ({ fields, type, description }) => fields.length > 0 || type.schemaId !== undefined || description !== '',
    )
    return isShown
      ? withOwnNames(branches).map((alternative) => ({
          ...alternative,
          id: ids(`alternatives-${owner}-${alternative.name}`),
        }))
      : []
  }

  /** Within one of them, the others are of no interest. */
  function childrenOf(schema: Schema, within: readonly Schema[]): readonly Schema[] {
    const all = children.get(schema) ?? []
    return all.some((child) => within.includes(child)) ? [] : all
  }
}

/** The values of the discriminator that stand for a schema that extends it. */
function mapped({ discriminator }: Schema, { name, pointer }: Schema): string[] {
  const { mapping = {} } = discriminator ?? {}
  return Object.keys(mapping).filter((value) => mapping[value] === pointer || mapping[value] === name)
}

/** A field that several parts describe, once, as the one that says most of it does. */
function mergedOf(fields: readonly Field[]): Field[] {
  const merged = new Map<string, Field>()
  for (const field of fields) {
    const known = merged.get(field.name)
    const more = known && telling(known) >= telling(field) ? known : field
    const isRequired = field.isRequired || known?.isRequired === true
    merged.set(field.name, { ...more, isRequired, description: more.description || (known ?? field).description })
  }
  return [...merged.values()]
}

const telling = ({ type, content, description }: Field) =>
  [
    type.schemaId !== undefined,
    type.values.length > 0,
    content.fields.length > 0,
    content.alternatives.length > 0,
    description !== '',
  ].filter(Boolean).length

type Part = [key: string, part: Schema, isCondition?: boolean]

/** The properties, and what else a value has: parts without a name of their own, and conditions. */
function partsIn(schema: Schema, prefix: string): Part[] {
  const { properties = {}, patternProperties = {}, prefixItems = [], dependentSchemas = {} } = schema
  const others: [string, unknown, boolean?][] = [
    ['*', schema.additionalProperties],
    ['*', schema.unevaluatedProperties],
    ['[…]', schema.unevaluatedItems],
    ['each name', schema.propertyNames, true],
    ['contains', schema.contains, true],
    ['if', schema.if, true],
    ['then', schema.then, true],
    ['else', schema.else, true],
    ['not', schema.not, true],
    ...Object.entries(dependentSchemas).map(([key, part]): Part => [`with ${prefix}${key}`, part, true]),
  ]
  return [
    ...Object.entries(properties),
    ...Object.entries(patternProperties).map(([pattern, part]): Part => [`/${pattern}/`, part]),
    ...prefixItems.map((part, at): Part => [`[${at}]`, part]),
    ...others.filter(
      (entry): entry is Part => typeof entry[1] === 'object' && entry[1] !== null && isTelling(entry[1]),
    ),
  ]
}

/** A line of the type says the others. */
const isTelling = (schema: object) =>
  Object.keys(schema).some((key) => key !== 'pointer') && !isNothing(schema as Schema)

function withOwnNames(alternatives: readonly Alternative[]): Alternative[] {
  const names = alternatives.map(({ name }) => name)
  return alternatives.map((each, at) => {
    const isOwn = names.indexOf(each.name) === names.lastIndexOf(each.name)
    return isOwn ? each : { ...each, name: `${each.name} ${at + 1}` }
  })
}
