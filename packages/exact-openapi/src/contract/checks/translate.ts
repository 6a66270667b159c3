// Translates schemas of the model into JSON Schema for Ajv, which judges values and changes none (finish.ts does). Two keywords of
// our own do what Ajv cannot:
// - EXACT judges a number, which Ajv would round;
// - ABSENT stands for a property that is writeOnly in a response. One that is readOnly in a request may have any value.
// Such a property is "hidden". Nothing may require it, even if another part of an `allOf` has it.
import {
  composing,
  type Discriminator,
  decidedBy,
  isHidden,
  isPattern,
  reachable,
  type Schema,
  withAllOf,
} from '../../model/index.ts'
import { EXACT, isNumeric, numericKeys } from './numbers.ts'

/** The numbers of a `response` must have their types already; those of a `request` and a `response text` are parsed JSON. */
export type CheckKind = 'request' | 'response' | 'response text'

export const ABSENT = 'isAbsent'

type Node = Record<string, unknown>
type Names = ReadonlySet<string>
type Translate = (schema: Schema, hidden?: Names) => Node

const nothing: Names = new Set()

/** Keywords that Ajv has, too. */
const sameKeywords = [
  'type',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'enum',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'dependentRequired',
] as const
/** Those whose value is a schema: of the same value, and of others. */
const parts = ['unevaluatedItems', 'unevaluatedProperties'] as const
const otherParts = ['items', 'not', 'contains', 'propertyNames'] as const
const namedParts = ['patternProperties', 'dependentSchemas'] as const

/** @param isKnownFormat of strings: other formats describe a value, but do not limit it */
export function translator(kind: CheckKind, isKnownFormat: (name: string) => boolean, tracksEvaluated: boolean) {
  const ids = new Map<Schema, string>()
  const definitions = new Map<string, Node>()
  const direction = kind === 'request' ? 'request' : 'response'

  const translate: Translate = (schema, hidden) => refTo(schema, hidden) ?? define(schema, hidden)

  /** @returns undefined for a schema of one place, and for one that requires a hidden property: it is translated in place */
  function refTo(schema: Schema, hidden = nothing): Node | undefined {
    if (!schema.isShared && schema.name === undefined) return undefined
    if (hidden.size > 0 && [...reachable([schema], composing)].some(requiresAny(hidden))) return undefined
    const known = ids.get(schema)
    if (known !== undefined) return { $ref: known }
    const id = `schema${ids.size}`
    ids.set(schema, id) // before its parts are translated: they may refer to it
    definitions.set(id, define(schema))
    return { $ref: id }
  }

  /** @param outer hidden names of other schemas of the same value */
  function define(schema: Schema, outer = nothing): Node {
    const hidden: Names = new Set([...outer, ...hiddenIn(schema, direction)])
    const { type, nullable, format = '', prefixItems, additionalProperties: others, allOf = [], oneOf, anyOf } = schema
    const { pattern, discriminator } = schema
    const isNumber = isNumeric(schema)
    const choices = decidedBy(schema)
    const chosen =
      choices.length > 0
        ? chosenBy(String(discriminator?.propertyName), choices, (part) => translate(part, hidden))
        : undefined
    const apart = [...(chosen ?? []), ...conditionalOf(schema, hidden)]
    const branches = [...(oneOf ?? []), ...(anyOf ?? [])]
    const hiddenHere: Names = new Set([...hidden, ...branches.flatMap((branch) => hiddenIn(branch, direction))])
    return {
      ...pick(schema, isNumber ? sameKeywords.filter((key) => key !== 'type') : sameKeywords),
      ...(type && !isNumber && nullable && { nullable }),
      ...(schema.uniqueItems && { uniqueItems: true }),
      ...(pattern !== undefined && isPattern(pattern) && { pattern }),
      ...((type ?? 'string') === 'string' && isKnownFormat(format) && { format }),
      ...(isNumber && { [EXACT]: pick(schema, [...numericKeys] as (keyof Schema)[]) }),
      ...objectKeywords(schema, hiddenHere),
      ...(others !== undefined && { additionalProperties: typeof others === 'object' ? translate(others) : others }),
      ...(prefixItems && { prefixItems: prefixItems.map((prefixItem) => translate(prefixItem)) }),
      ...translated(schema, parts, (part) => translate(part, hidden)),
      ...translated(schema, otherParts, translate),
      ...namedIn(schema),
      ...(!chosen && oneOf && { oneOf: oneOf.map((part) => translate(part, hidden)) }),
      ...(!chosen && anyOf && { anyOf: anyOf.map((part) => translate(part, hidden)) }),
      ...(allOf.length + apart.length > 0 && {
        allOf: [...allOf.map((part) => translate(part, hiddenHere)), ...apart],
      }),
    }
  }

  /** Ajv takes what a condition evaluates as evaluated though it does not hold, and none if neither consequence is there. */
  function conditionalOf({ if: condition, then, else: otherwise }: Schema, hidden: Names): Node[] {
    if (!condition) return []
    const holds = translate(condition)
    const [yes, no] = [then, otherwise].map((schema) => (schema ? translate(schema, hidden) : true))
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    if (!tracksEvaluated) return [{ if: holds, then: yes, else: no }]
    return [{ anyOf: [{ allOf: [holds, yes] }, { allOf: [{ not: holds }, no] }] }]
  }

  function objectKeywords({ properties, required = [] }: Schema, hidden: Names): Node {
    const needed = required.filter((name) => !hidden.has(name))
    const absent = kind === 'request' ? {} : { [ABSENT]: true }
    const entries = Object.entries(properties ?? {}).map(([name, schema]) => [
      name,
      isHidden(schema, direction) ? absent : translate(schema),
    ])
    return {
      ...(properties && { properties: Object.fromEntries(entries) }),
      ...(needed.length > 0 && { required: needed }),
    }
  }

  function namedIn(schema: Schema): Node {
    const found = namedParts.filter((key) => schema[key])
    return Object.fromEntries(
      found.map((key) => {
        const all = Object.entries(schema[key] as Record<string, Schema>)
        const entries = all.filter(([name]) => key !== 'patternProperties' || isPattern(name))
        return [key, Object.fromEntries(entries.map(([name, part]) => [name, translate(part)]))]
      }),
    )
  }

  return { translate, definitions }
}

/** The properties of a schema, and of all that it has to be, that are hidden in a request or a response. */
export function hiddenIn(schema: Schema, direction: 'request' | 'response'): string[] {
  return withAllOf(schema).flatMap(({ properties = {} }) =>
    Object.keys(properties).filter((name) => isHidden(properties[name] as Schema, direction)),
  )
}

/** Whether a schema requires one of the names. */
const requiresAny =
  (names: Names) =>
  ({ required = [] }: Schema) =>
    required.some((name) => names.has(name))

function translated(schema: Schema, keys: readonly (keyof Schema)[], translate: (schema: Schema) => Node): Node {
  const found = keys.filter((key) => schema[key] !== undefined)
  return Object.fromEntries(found.map((key) => [key, translate(schema[key] as Schema)]))
}

/** The value of one property chooses a branch. */
function chosenBy(name: string, choices: Discriminator['choices'], translate: (schema: Schema) => Node) {
  const isOf = (values: readonly unknown[]) => ({ required: [name], properties: { [name]: { enum: values } } })
  return [
    isOf(choices.flatMap(({ values }) => values)),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...choices.map(({ schema, values }) => ({ if: isOf(values), then: translate(schema) })),
  ]
}

function pick(schema: Schema, keys: readonly (keyof Schema)[]): Node {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]))
}
