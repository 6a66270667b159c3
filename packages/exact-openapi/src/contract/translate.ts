// Schemas of the model as JSON Schema for Ajv, with numbers, defaults and directions left to keywords of our own.
import { type Discriminator, fieldsOf, isHidden, placeIn, propertyOf, type Schema } from '../model/index.ts'
import { patternOf } from './formats.ts'
import { EXACT, isNumericType, numericKeys, requireKnownFormat } from './numbers.ts'
import { type Rule, RuleError, tolerated } from './tolerate.ts'

/**
 * In a `request`, numbers take the type that the schema says (bigint for int64, else number), missing properties get
 * their defaults, and readOnly ones are removed. The numbers of a `response` must have their types already; those of a
 * `response text` are parsed JSON.
 */
export type Direction = 'request' | 'response' | 'response text'

/** Our keywords: the values of missing properties, and a property that must not arrive. */
export const DEFAULTS = 'defaultValues'
export const ABSENT = 'isAbsent'

type Node = Record<string, unknown>

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
/** And those whose value is a schema: `plain` where it may turn out not to apply. */
const parts = ['unevaluatedItems', 'unevaluatedProperties', 'then', 'else'] as const
const plainParts = ['not', 'contains', 'propertyNames', 'if'] as const
const namedParts = ['patternProperties', 'dependentSchemas'] as const

/**
 * Two definitions of each shared schema: one that adds defaults, and one that does not, for `not` and for the
 * branches of a `oneOf` or `anyOf` without a discriminator. A branch that turns out to be wrong must not have added anything.
 */
export interface Definitions {
  filling: Record<string, Node>
  plain: Record<string, Node>
}

/** A default that has to be valid. */
export interface Default {
  name: string
  schema: Schema
  /** From which it is added. */
  values: Record<string, unknown>
}

/** @param isKnownFormat of strings: other formats describe a value, but do not limit it */
export function translator(
  shared: readonly Schema[],
  direction: Direction,
  isKnownFormat: (name: string) => boolean,
  tolerate: readonly Rule[],
) {
  const places = new Map(shared.map((schema, at) => [schema, at]))
  const defaults: Default[] = []
  const place = direction === 'request' ? 'request' : 'response'

  const filling = (schema: Schema): Node => refTo(schema, 'filling') ?? define(schema, filling)
  const plain = (schema: Schema): Node => refTo(schema, 'plain') ?? define(schema, plain)

  function refTo(schema: Schema, kind: keyof Definitions): Node | undefined {
    const place = places.get(schema)
    return place === undefined ? undefined : { $ref: `document#/definitions/${kind}/${place}` }
  }

  function define(schema: Schema, translate: (schema: Schema) => Node): Node {
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
    const isNumeric = isNumericType(schema) || isBounded(schema)
    naming(schema, () => requireSupportedNumber(schema))
    const chosen = discriminator && chosenBy(discriminator, translate)
    return {
      ...pick(schema, isNumeric ? sameKeywords.filter((key) => !numericKeys.has(key)) : sameKeywords),
      ...(type && !isNumeric && nullable && { nullable }),
      ...(values && !isNumeric && { enum: [...new Set(values)] }),
      ...(pattern !== undefined && naming(schema, () => isPattern(pattern)) && { pattern }),
      ...(type === 'string' && format && isKnownFormat(format) && { format }),
      ...(isNumeric && { [EXACT]: pick(schema, [...numericKeys] as (keyof Schema)[]) }),
      ...objectKeywords(schema, translate),
      ...(items && { items: translate(items) }),
      ...(others !== undefined && { additionalProperties: typeof others === 'object' ? translate(others) : others }),
      ...(prefixItems && { prefixItems: prefixItems.map(translate) }),
      ...translated(schema, parts, translate),
      ...translated(schema, plainParts, plain),
      ...namedIn(schema, translate),
      ...(!chosen && oneOf && { oneOf: oneOf.map(plain) }),
      ...(!chosen && anyOf && { anyOf: anyOf.map(plain) }),
      ...((allOf.length > 0 || chosen) && { allOf: [...allOf.map(translate), ...(chosen ?? [])] }),
    }
  }

  function isPattern(pattern: string): boolean {
    try {
      return Boolean(patternOf(pattern))
    } catch (error) {
      tolerated(tolerate, 'odd-pattern', (error as Error).message)
      return false
    }
  }

  function objectKeywords(schema: Schema, translate: (schema: Schema) => Node): Node {
    const entries = Object.entries(schema.properties ?? {})
    const { required } = fieldsOf(schema, place)
    const missing = entries.filter(([, { default: value }]) => value !== undefined)
    const isFilled = translate === filling && direction === 'request' && missing.length > 0
    const values = Object.fromEntries(missing.map(([name, one]) => [name, one.default]))
    if (isFilled) defaults.push(...missing.map(([name, schema]) => ({ name, schema, values })))
    return {
      ...(schema.properties && {
        properties: Object.fromEntries(
          entries.map(([name, one]) => [name, isHidden(one, place) ? { [ABSENT]: true } : translate(one)]),
        ),
      }),
      ...(required.length > 0 && { required }),
      ...(isFilled && { [DEFAULTS]: values }),
    }
  }

  function namedIn(schema: Schema, translate: (schema: Schema) => Node): Node {
    const found = namedParts.filter((key) => schema[key])
    return Object.fromEntries(
      found.map((key) => {
        const entries = Object.entries(schema[key] ?? {})
        return [key, Object.fromEntries(entries.map(([name, one]) => [name, translate(one)]))]
      }),
    )
  }

  const definitions = (): Definitions => ({
    filling: Object.fromEntries(shared.map((schema, at) => [at, define(schema, filling)])),
    plain: Object.fromEntries(shared.map((schema, at) => [at, define(schema, plain)])),
  })
  return { translate: filling, definitions, defaults }
}

/** @throws with the place of the schema in the document */
function naming<Result>({ pointer }: Schema, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    const place = placeIn(pointer)
    throw error instanceof RuleError
      ? error.within(place)
      : new Error(`${place}: ${(error as Error).message}`, { cause: error })
  }
}

function requireSupportedNumber(schema: Schema): void {
  if (isNumericType(schema)) requireKnownFormat(schema)
}

/** Without a type: bounds limit numbers alone, and Ajv compares no bigints. */
const isBounded = (schema: Schema) =>
  !schema.type &&
  (['minimum', 'maximum', 'multipleOf'].some((key) => Object.hasOwn(schema, key)) ||
    schema.enum?.some((value: unknown) => typeof value === 'bigint'))

function translated(schema: Schema, keys: readonly (keyof Schema)[], translate: (schema: Schema) => Node): Node {
  const found = keys.filter((key) => schema[key] !== undefined)
  return Object.fromEntries(found.map((key) => [key, translate(schema[key] as Schema)]))
}

/**
 * The value of one property chooses a branch. OpenAPI 3.0.4, "Discriminator Object": it never changes whether a value is
 * valid, so the branches are tried as if there were none where a value is missing or refused by its own branch.
 */
function chosenBy({ propertyName: name, choices }: Discriminator, translate: (schema: Schema) => Node) {
  const isOwn = ({ schema, values }: Discriminator['choices'][number]) => {
    const allowed: readonly unknown[] | undefined = propertyOf(schema, name).enum
    return values.length > 0 && values.every((value) => !allowed || allowed.includes(value))
  }
  if (choices.length === 0 || !choices.every(isOwn)) return undefined
  const isOf = (values: readonly unknown[]) => ({ required: [name], properties: { [name]: { enum: values } } })
  return [
    isOf([...new Set(choices.flatMap(({ values }) => values))]),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...choices.map(({ schema, values }) => ({ if: isOf(values), then: translate(schema) })),
  ]
}

function pick(schema: Schema, keys: readonly (keyof Schema)[]): Node {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]))
}
