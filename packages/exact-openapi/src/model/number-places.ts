// Numbers that several schemas describe, such as the branches of an `anyOf`. Each converts the number in place to its type, so
// the types must agree: one that may be an int64 is a bigint for all of them.
import { composing, reachable } from './parts.ts'
import { decidedBy, isExact, type Schema } from './schema.ts'

/** Of the OpenAPI Format Registry: these fit into a double. */
export const integerRanges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
}

/** Calls back with the numbers of each place that several schemas describe, such as the branches of a union. */
function visitNumbers(roots: readonly Schema[], found: (numbers: readonly Schema[]) => void): void {
  const visited = new Set<string>()
  const visit = (given: readonly Schema[]): void => {
    const schemas = [...reachable(given, sameValue)]
    const isPlain = schemas.length < 2 && schemas.every((one) => !one.patternProperties && decidedBy(one).length === 0)
    if (isPlain) return // its parts are roots, too
    const key = schemas.map(({ pointer }) => pointer).sort()
    if (visited.has(key.join(' '))) return
    visited.add(key.join(' '))
    const numbers = schemas.filter(({ type }) => type === 'integer' || type === 'number')
    if (numbers.length > 1) found(numbers)
    const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))
    const others = schemas.flatMap(otherProperties)
    for (const name of names) {
      const own = schemas.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) ? [properties[name] as Schema] : [],
      )
      visit([...own, ...others])
    }
    visit(others)
    visit(schemas.flatMap(itemsIn))
    for (const branch of schemas.flatMap(decidedBy)) visit([...schemas.map(withoutBranches), branch.schema])
  }
  for (const root of roots) visit([root])
}

/** The schemas of the same value, of which a discriminator leaves one branch. */
const sameValue = (schema: Schema): Schema[] => [
  ...composing(withoutBranches(schema)),
  ...[schema.if, schema.then, schema.else, ...Object.values(schema.dependentSchemas ?? {})].flatMap((one) => one ?? []),
]

function withoutBranches(schema: Schema): Schema {
  if (decidedBy(schema).length === 0) return schema
  const { discriminator, oneOf, anyOf, ...others } = schema
  return others
}

const otherProperties = ({ additionalProperties, patternProperties = {}, unevaluatedProperties }: Schema): Schema[] =>
  [additionalProperties, unevaluatedProperties, ...Object.values(patternProperties)].filter(isSchema)

const itemsIn = ({ items, contains, unevaluatedItems }: Schema): Schema[] =>
  [items, contains, unevaluatedItems].filter(isSchema)

const isSchema = (one: boolean | Schema | undefined): one is Schema => typeof one === 'object'

/** Beside an int64, an integer becomes an int64, and a number one whose integers are bigints. */
export function widenNumbers(schemas: readonly Schema[]): void {
  if (!schemas.some(isExact)) return
  const isWide = (one: Schema) => isExact(one) || one.hasBigints === true
  for (;;) {
    const narrow = new Set<Schema>()
    visitNumbers(schemas, (numbers) => {
      if (numbers.some(isWide)) for (const one of numbers) if (!isWide(one)) narrow.add(one)
    })
    if (narrow.size === 0) return
    narrow.forEach(widen)
  }
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
