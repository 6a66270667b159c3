// Numbers that several schemas describe, such as the branches of an `anyOf`. Each converts the number in place to its type, so
// the types must agree: one that may be an int64 is a bigint for all of them.
import { decidedBy } from './discriminator.ts'
import { itemsAt, leadingTo, partsOf, propertiesAt, sameValue } from './parts.ts'
import { isExact, type Schema } from './schema.ts'

/** Of the OpenAPI Format Registry: these fit into a double. */
export const integerRanges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
}

/** By number, those that may describe the same value. */
type Meetings = ReadonlyMap<Schema, ReadonlySet<Schema>>

/**
 * Follows two schemas of one value at a time. A pair is followed once, whatever leads to it, so the work is bounded by the pairs
 * of schemas that meet, not by the sets of them.
 */
function meetingsOf(roots: readonly Schema[]): Meetings {
  const met = new Map<Schema, Set<Schema>>()
  const followed = new Map<Schema, Set<Schema>>()
  const own = new Map<Schema, Schema>()
  const relevant = new Set(leadingTo(roots, isNumber))
  const waiting: (readonly [Schema, Schema])[] = roots.map((root) => [root, root])

  /** What a schema says apart from its parts: always the same object. */
  function ownOf(schema: Schema): Schema {
    const { allOf, oneOf, anyOf, not, if: condition, then, else: otherwise, dependentSchemas, ...others } = schema
    const known = own.get(schema) ?? others
    if (isNumber(known) || partsOf(known).some((part) => relevant.has(part))) relevant.add(known)
    own.set(schema, known)
    return known
  }

  /** Of one schema: the branches that a discriminator decides on never meet. */
  function within(schema: Schema, parts: readonly Schema[]): (readonly [Schema, Schema])[] {
    const branches = new Set(decidedBy(schema).map((choice) => choice.schema))
    const all = [ownOf(schema), ...parts]
    return all.flatMap((part, at) =>
      all
        .slice(at)
        .filter((other) => part === other || !branches.has(part) || !branches.has(other))
        .map((other) => [part, other] as const),
    )
  }

  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [schema, other] = pair
    const [parts, others] = [sameValue(schema), sameValue(other)]
    if (schema === other && parts.length === 0 && !isOverlapping(schema)) continue // its parts are roots, too
    if (!relevant.has(schema) || !relevant.has(other) || followed.get(schema)?.has(other)) continue
    add(followed, schema, other)
    add(followed, other, schema)
    if (schema === other && parts.length > 0) waiting.push(...within(schema, parts))
    else if (parts.length > 0) for (const part of [ownOf(schema), ...parts]) waiting.push([part, other])
    else if (others.length > 0) for (const part of [ownOf(other), ...others]) waiting.push([schema, part])
    else {
      if (isNumber(schema) && isNumber(other)) {
        add(met, schema, other)
        add(met, other, schema)
      }
      waiting.push(...childrenOf(schema, other))
    }
  }
  return met
}

/** Whether it may have several schemas for one property or item. */
const isOverlapping = ({ patternProperties, unevaluatedProperties, unevaluatedItems, contains }: Schema) =>
  (patternProperties ?? unevaluatedProperties ?? unevaluatedItems ?? contains) !== undefined

const isNumber = (schema: Schema) => schema.type === 'integer' || schema.type === 'number' || isExact(schema)

function add(sets: Map<Schema, Set<Schema>>, schema: Schema, other: Schema): void {
  const known = sets.get(schema) ?? new Set()
  sets.set(schema, known.add(other))
}

/** What two schemas of a value have for the same property or item. */
function childrenOf(schema: Schema, other: Schema): (readonly [Schema, Schema])[] {
  const names = [...Object.keys({ ...schema.properties, ...other.properties }), undefined]
  const length = Math.max(schema.prefixItems?.length ?? 0, other.prefixItems?.length ?? 0)
  const product = (some: readonly Schema[], more: readonly Schema[]) =>
    some.flatMap((first) => more.map((second) => [first, second] as const))
  return [
    ...names.flatMap((name) => product(propertiesAt(schema, name), propertiesAt(other, name))),
    ...Array.from({ length: length + 1 }, (_, at) => product(itemsAt(schema, at), itemsAt(other, at))).flat(),
  ]
}

/** Beside an int64, an integer becomes an int64, and a number one whose integers are bigints. */
export function widenNumbers(schemas: readonly Schema[]): void {
  const wide = new Set(schemas.filter(isExact))
  const met: Meetings = wide.size > 0 ? meetingsOf(schemas) : new Map()
  for (const schema of wide) for (const other of met.get(schema) ?? []) wide.add(other)
  for (const schema of wide) if (!isExact(schema)) widen(schema)
}

function widen(schema: Schema): void {
  const range = integerRanges[schema.format ?? '']
  if (schema.type === 'number' && !range) {
    schema.hasBigints = true
    return
  }
  const [least = -Infinity, most = Infinity] = range ?? []
  if (least > (schema.minimum ?? -Infinity)) Object.assign(schema, { minimum: least, exclusiveMinimum: false })
  if (most < (schema.maximum ?? Infinity)) Object.assign(schema, { maximum: most, exclusiveMaximum: false })
  Object.assign(schema, { type: 'integer', format: 'int64' })
}
