// Schemas of the model as JSON Schema for Ajv, with numbers, defaults and directions left to keywords of our own.
import { type Discriminator, fieldsOf, isHidden, placeIn, propertyOf, type Schema } from '../model/index.ts'
import { patternOf } from './formats.ts'
import { EXACT, isNumericType, numericKeys, requireKnownFormat } from './numbers.ts'

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

/** Keywords of Ajv's that mean the same in OpenAPI 3.0. */
const sameKeywords = [
  'type',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const

/**
 * Two definitions of each shared schema: one that adds defaults, and one that does not, for `not` and for the
 * branches of a `oneOf` or `anyOf` without a discriminator. A branch that turns out to be wrong must not have added anything.
 */
export interface Definitions {
  filling: Record<string, Node>
  plain: Record<string, Node>
}

/** @param isKnownFormat of strings: other formats describe a value, but do not limit it */
export function translator(shared: readonly Schema[], direction: Direction, isKnownFormat: (name: string) => boolean) {
  const places = new Map(shared.map((schema, at) => [schema, at]))
  const defaults: [name: string, schema: Schema][] = []
  const place = direction === 'request' ? 'request' : 'response'

  const filling = (schema: Schema): Node => refTo(schema, 'filling') ?? define(schema, filling)
  const plain = (schema: Schema): Node => refTo(schema, 'plain') ?? define(schema, plain)

  function refTo(schema: Schema, kind: keyof Definitions): Node | undefined {
    const place = places.get(schema)
    return place === undefined ? undefined : { $ref: `document#/definitions/${kind}/${place}` }
  }

  function define(schema: Schema, translate: (schema: Schema) => Node): Node {
    const { type, nullable, format, items, additionalProperties: others, not, allOf = [], oneOf, anyOf } = schema
    const { enum: values, pattern } = schema
    const isNumeric = isNumericType(schema)
    naming(schema, () => requireSupportedNumber(schema))
    const { discriminator } = schema
    const chosen = discriminator?.choices.length ? naming(schema, () => chosenBy(discriminator, translate)) : undefined
    return {
      ...pick(schema, isNumeric ? sameKeywords.filter((key) => !numericKeys.has(key)) : sameKeywords),
      ...(type && !isNumeric && nullable && { nullable }),
      ...(values && !isNumeric && { enum: [...new Set(values)] }),
      ...(pattern !== undefined && naming(schema, () => patternOf(pattern)) && { pattern }),
      ...(type === 'string' && format && isKnownFormat(format) && { format }),
      ...(isNumeric && { [EXACT]: pick(schema, [...numericKeys] as (keyof Schema)[]) }),
      ...objectKeywords(schema, translate),
      ...(items && { items: translate(items) }),
      ...(others !== undefined && { additionalProperties: typeof others === 'object' ? translate(others) : others }),
      ...(not && { not: plain(not) }),
      ...(!chosen && oneOf && { oneOf: oneOf.map(plain) }),
      ...(!chosen && anyOf && { anyOf: anyOf.map(plain) }),
      ...((allOf.length > 0 || chosen) && { allOf: [...allOf.map(translate), ...(chosen ?? [])] }),
    }
  }

  function objectKeywords(schema: Schema, translate: (schema: Schema) => Node): Node {
    const entries = Object.entries(schema.properties ?? {})
    const { required } = fieldsOf(schema, place)
    const missing = entries.filter(([, { default: value }]) => value !== undefined)
    const isFilled = translate === filling && direction === 'request' && missing.length > 0
    if (isFilled) defaults.push(...missing)
    return {
      ...(schema.properties && {
        properties: Object.fromEntries(
          entries.map(([name, one]) => [name, isHidden(one, place) ? { [ABSENT]: true } : translate(one)]),
        ),
      }),
      ...(required.length > 0 && { required }),
      ...(isFilled && { [DEFAULTS]: Object.fromEntries(missing.map(([name, one]) => [name, one.default])) }),
    }
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
    throw new Error(`${placeIn(pointer)}: ${(error as Error).message}`, { cause: error })
  }
}

function requireSupportedNumber(schema: Schema): void {
  if (isNumericType(schema)) {
    requireKnownFormat(schema)
    if (!Number.isInteger(Number(schema.multipleOf ?? 1))) throw new Error('multipleOf is supported for integers only')
  }
  const bound = ['minimum', 'maximum', 'multipleOf'].find((key) => key in schema)
  if (bound && !schema.type) throw new Error(`${bound} without a type is not supported: write type: number or integer`)
}

/** The value of one property chooses a branch. @throws saying which mapping is missing */
function chosenBy({ propertyName: name, choices }: Discriminator, translate: (schema: Schema) => Node): Node[] {
  for (const { schema, values } of choices) {
    const allowed: readonly unknown[] | undefined = propertyOf(schema, name).enum
    const wrong = values.find((value) => allowed && !allowed.includes(value))
    const line = `add its mapping, { ${allowed ? allowed[0] : 'value'}: '${schema.pointer}' }`
    if (values.length === 0) throw new Error(`a branch of the discriminator ${name} has no name: ${line}`)
    if (wrong !== undefined) throw new Error(`${schema.name} does not allow "${wrong}" as its ${name}: ${line}`)
  }
  const isOf = (values: readonly string[]) => ({ required: [name], properties: { [name]: { enum: values } } })
  return [
    isOf(choices.flatMap(({ values }) => values)),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...choices.map(({ schema, values }) => ({ if: isOf(values), then: translate(schema) })),
  ]
}

function pick(schema: Schema, keys: readonly (keyof Schema)[]): Node {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]))
}
