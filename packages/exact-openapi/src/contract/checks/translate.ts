// Translates schemas of the model into JSON Schema for Ajv. Three keywords of our own do what Ajv cannot:
// - EXACT validates a number, which Ajv would round, and converts it to its type;
// - DEFAULTS adds missing properties: Ajv's own option would not add them within a chosen branch;
// - ABSENT stands for a property that is readOnly in a request, or writeOnly in a response.
// Such a property is "hidden". Nothing may require it, even if another part of an `allOf` has it.
import {
  composing,
  type Discriminator,
  decidedBy,
  isHidden,
  isPattern,
  propertyOf,
  reachable,
  type Schema,
} from '../../model/index.ts'
import { EXACT, isNumeric, numericKeys } from './numbers.ts'

/**
 * In a `request`, numbers take the type that the schema says (bigint for int64, else number), missing properties get
 * their defaults, and readOnly ones are removed. The numbers of a `response` must have their types already; those of a
 * `response text` are parsed JSON.
 */
export type Direction = 'request' | 'response' | 'response text'

export const DEFAULTS = 'defaultValues'
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
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'dependentRequired',
] as const
/** Those whose value is a schema. A value that differs from one of `plainParts` may still be valid, so they add no defaults. */
const parts = ['unevaluatedItems', 'unevaluatedProperties', 'then', 'else'] as const
const plainParts = ['not', 'contains', 'propertyNames', 'if'] as const
const namedParts = ['patternProperties', 'dependentSchemas'] as const

/**
 * A shared schema is defined twice: `filling` adds defaults, and `plain` does not, for `not` and for the branches of a
 * `oneOf` or `anyOf` without a discriminator. A branch that turns out to be wrong must not have added anything.
 */
type Kind = 'filling' | 'plain'

/** A default that has to be valid. */
export interface Default {
  name: string
  schema: Schema
  /** The value of DEFAULTS that has it. */
  values: Record<string, unknown>
}

/** @param isKnownFormat of strings: other formats describe a value, but do not limit it */
export function translator(direction: Direction, isKnownFormat: (name: string) => boolean) {
  const ids = { filling: new Map<Schema, string>(), plain: new Map<Schema, string>() }
  const definitions = new Map<string, Node>()
  const defaults: Default[] = []
  const place = direction === 'request' ? 'request' : 'response'

  const filling: Translate = (schema, hidden) => refTo(schema, 'filling', hidden) ?? define(schema, filling, hidden)
  const plain: Translate = (schema, hidden) => refTo(schema, 'plain', hidden) ?? define(schema, plain, hidden)

  /** @returns undefined for a schema of one place, and for one that requires a hidden property: it is translated in place */
  function refTo(schema: Schema, kind: Kind, hidden = nothing): Node | undefined {
    if (!schema.isShared && schema.name === undefined) return undefined
    if (hidden.size > 0 && [...reachable([schema], composing)].some(requiresAny(hidden))) return undefined
    const known = ids[kind].get(schema)
    if (known !== undefined) return { $ref: known }
    const id = `${kind}${ids[kind].size}`
    ids[kind].set(schema, id) // before its parts are translated: they may refer to it
    definitions.set(id, define(schema, kind === 'filling' ? filling : plain))
    return { $ref: id }
  }

  /** @param outer hidden names of other schemas of the same value */
  function define(schema: Schema, translate: Translate, outer = nothing): Node {
    const hidden: Names = new Set([...outer, ...hiddenIn(schema, place)])
    const {
      type,
      nullable,
      format,
      items,
      prefixItems,
      additionalProperties: others,
      allOf = [],
      oneOf,
      anyOf,
    } = schema
    const { enum: values, pattern, discriminator } = schema
    const isNumber = isNumeric(schema)
    const chosen =
      discriminator && chosenBy(discriminator.propertyName, decidedBy(schema), (one) => translate(one, hidden))
    const branches = [...(oneOf ?? []), ...(anyOf ?? [])]
    const hiddenHere: Names = new Set([...hidden, ...branches.flatMap((one) => hiddenIn(one, place))])
    const more = chosen ?? (translate === plain ? [] : branches.flatMap((one) => removalOf(one, hidden)))
    return {
      ...pick(schema, isNumber ? sameKeywords.filter((key) => !numericKeys.has(key)) : sameKeywords),
      ...(type && !isNumber && nullable && { nullable }),
      ...(values && values.length > 0 && !isNumber && { enum: [...new Set(values)] }),
      ...(pattern !== undefined && isPattern(pattern) && { pattern }),
      ...(type === 'string' && format && isKnownFormat(format) && { format }),
      ...(isNumber && { [EXACT]: pick(schema, [...numericKeys] as (keyof Schema)[]) }),
      ...objectKeywords(schema, translate, hiddenHere),
      ...(items && { items: translate(items) }),
      ...(others !== undefined && { additionalProperties: typeof others === 'object' ? translate(others) : others }),
      ...(prefixItems && { prefixItems: prefixItems.map((one) => translate(one)) }),
      ...translated(schema, parts, (one) => translate(one, hidden)),
      ...translated(schema, plainParts, plain),
      ...(values?.length === 0 && { not: {} }), // Ajv takes no empty enum
      ...namedIn(schema, translate),
      ...(!chosen && oneOf && { oneOf: oneOf.map((one) => plain(one, hidden)) }),
      ...(!chosen && anyOf && { anyOf: anyOf.map((one) => plain(one, hidden)) }),
      ...(allOf.length + more.length > 0 && {
        allOf: [...allOf.map((one) => translate(one, hiddenHere)), ...more],
      }),
    }
  }

  /** Removes the readOnly properties of a branch if it applies: `oneOf` and `anyOf` also try those that do not. */
  function removalOf(branch: Schema, hidden: Names): Node[] {
    const names = direction === 'request' ? hiddenIn(branch, place) : []
    const properties = Object.fromEntries(names.map((name) => [name, { [ABSENT]: true }]))
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return names.length > 0 ? [{ if: plain(branch, hidden), then: { properties } }] : []
  }

  function objectKeywords(schema: Schema, translate: Translate, hidden: Names): Node {
    const entries = Object.entries(schema.properties ?? {})
    const required = (schema.required ?? []).filter((name) => !hidden.has(name))
    const absent = translate === plain && direction === 'request' ? {} : { [ABSENT]: true }
    const missing = entries.filter(([, { default: value }]) => value !== undefined)
    const isFilled = translate === filling && direction === 'request' && missing.length > 0
    const values = Object.fromEntries(missing.map(([name, one]) => [name, one.default]))
    if (isFilled) defaults.push(...missing.map(([name, schema]) => ({ name, schema, values })))
    return {
      ...(schema.properties && {
        properties: Object.fromEntries(
          entries.map(([name, one]) => [name, isHidden(one, place) ? absent : translate(one)]),
        ),
      }),
      ...(required.length > 0 && { required }),
      ...(isFilled && { [DEFAULTS]: values }),
    }
  }

  function namedIn(schema: Schema, translate: Translate): Node {
    const found = namedParts.filter((key) => schema[key])
    return Object.fromEntries(
      found.map((key) => {
        const all = Object.entries(schema[key] as Record<string, Schema>)
        const entries = all.filter(([name]) => key !== 'patternProperties' || isPattern(name))
        return [key, Object.fromEntries(entries.map(([name, one]) => [name, translate(one)]))]
      }),
    )
  }

  return { translate: filling, definitions, defaults }
}

/** The properties of a schema, and of all that it has to be, that are hidden in a request or a response. */
export function hiddenIn(schema: Schema, place: 'request' | 'response'): string[] {
  const all = [...reachable([schema], ({ allOf = [] }) => [...allOf])]
  return all.flatMap(({ properties = {} }) =>
    Object.keys(properties).filter((name) => isHidden(properties[name] as Schema, place)),
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

/**
 * The value of one property chooses a branch. OpenAPI 3.0.4, "Discriminator Object": it never changes whether a value is
 * valid, so the branches are tried as if there were none where a value is missing or refused by its own branch.
 */
function chosenBy(name: string, choices: Discriminator['choices'], translate: (schema: Schema) => Node) {
  if (!isDecisive(name, choices)) return undefined
  const isOf = (values: readonly unknown[]) => ({ required: [name], properties: { [name]: { enum: values } } })
  return [
    isOf([...new Set(choices.flatMap(({ values }) => values))]),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...choices.map(({ schema, values }) => ({ if: isOf(values), then: translate(schema) })),
  ]
}

/** Whether the values that stand for each branch are those that it allows. */
export function isDecisive(name: string, choices: Discriminator['choices']): boolean {
  const isOwn = ({ schema, values }: Discriminator['choices'][number]) => {
    const allowed: readonly unknown[] | undefined = propertyOf(schema, name).enum
    return values.length > 0 && values.every((value) => !allowed || allowed.includes(value))
  }
  return choices.length > 0 && choices.every(isOwn)
}

function pick(schema: Schema, keys: readonly (keyof Schema)[]): Node {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]))
}
