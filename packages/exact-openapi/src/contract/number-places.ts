// The numbers that schemas describe at the same place of a value.
import { composing, isExact, reachable, type Schema } from '../model/index.ts'
import { isNumericType } from './numbers.ts'

/**
 * A schema converts the numbers that it describes, so those that describe the same place must agree on their type.
 * @throws naming the place within the value
 */
export function requireOneNumberType(root: Schema): void {
  const visited = new Set<string>()
  const visit = (given: readonly Schema[], ...place: string[]): void => {
    const schemas = [...reachable(given, partsIn)]
    const key = schemas
      .map(({ pointer }) => pointer)
      .sort()
      .join(' ')
    if (visited.has(key)) return
    visited.add(key)
    const kinds = new Set(schemas.filter(isNumericType).map(isExact))
    if (kinds.size > 1) {
      throw new Error(`${place.join(' ')}: an int64 and another number in the same place are not supported`)
    }
    const names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))
    const others = schemas.flatMap(({ additionalProperties: one }) => (typeof one === 'object' ? [one] : []))
    for (const name of names) {
      const own = schemas.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) ? [properties[name] as Schema] : [],
      )
      visit([...own, ...others], ...place, name)
    }
    visit(others, ...place)
    visit(
      schemas.flatMap(({ items }) => (items ? [items] : [])),
      ...place,
    )
    for (const { schema } of schemas.flatMap(({ discriminator }) => discriminator?.choices ?? []))
      visit([schema], ...place)
  }
  visit([root])
}

/** The schemas of the same value, of which a discriminator leaves one branch. */
const partsIn = (schema: Schema): Schema[] =>
  composing(schema.discriminator ? { ...schema, oneOf: [], anyOf: [] } : schema)
