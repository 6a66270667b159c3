// The types that the text of a parameter can have.
import { alternativesOf, isPattern, patternOf, reachable, type Schema } from '../../model/index.ts'

const ofValue: Record<string, Schema['type']> = { string: 'string', boolean: 'boolean', bigint: 'integer' }

/** All types that a schema allows, of its parts if it names none itself. None if any may be. */
export function typesOf(schema: Schema | undefined, within: readonly Schema[] = []): NonNullable<Schema['type']>[] {
  if (!schema || within.includes(schema)) return []
  if (schema.type) return [schema.type]
  const values: readonly unknown[] = schema.enum ?? []
  const ofValues = values.map((value) => ofValue[typeof value] ?? (Number.isInteger(value) ? 'integer' : 'number'))
  const parts = alternativesOf(schema)
  const types = [...ofValues, ...parts.flatMap((part) => typesOf(part, [...within, schema]))]
  const named =
    types.length > 0 ? types : schema.properties ? (['object'] as const) : schema.items ? (['array'] as const) : []
  return [...new Set(named)].filter((type) => type !== 'null')
}

/** The only type of a schema, or that of all its parts. */
export function typeOf(schema: Schema | undefined): Schema['type'] {
  const [type, ...others] = typesOf(schema)
  return others.length === 0 ? type : undefined
}

/** Whether a schema allows one value as well as an array of them. */
export function isOneOrSeveral(schema: Schema): boolean {
  const types = typesOf(schema)
  return types.length > 1 && types.includes('array') && !types.includes('object')
}

/** The items of an array, also of one that a part of the schema describes. */
export function itemsOf(schema: Schema): Schema | undefined {
  const parts = alternativesOf(schema)
  return schema.items ?? parts.map(itemsOf).find((items) => items !== undefined)
}

/** The properties of an object and of its parts. One that several parts describe has all their types. */
export function propertiesOf(schema: Schema): Record<string, Schema> {
  const all: Record<string, Schema> = { ...schema.properties }
  for (const part of alternativesOf(schema)) {
    for (const [name, branch] of Object.entries(propertiesOf(part))) {
      const known = Object.hasOwn(all, name) ? all[name] : undefined
      all[name] = known ? { pointer: `${known.pointer} or ${branch.pointer}`, anyOf: [known, branch] } : branch
    }
  }
  return all
}

/** What describes a property, whichever part of the schema does. */
export function propertyFinder(schema: Schema): (name: string) => Schema | undefined {
  const properties = new Map(Object.entries(propertiesOf(schema)))
  const parts = [...reachable([schema], alternativesOf)]
  const patterns = parts.flatMap(({ patternProperties = {} }) => Object.entries(patternProperties))
  const known = patterns
    .filter(([pattern]) => isPattern(pattern))
    .map(([pattern, part]) => [patternOf(pattern), part] as const)
  const [others] = parts.flatMap(({ additionalProperties: one }) => (typeof one === 'object' ? [one] : []))
  return (name) => properties.get(name) ?? known.find(([pattern]) => pattern.test(name))?.[1] ?? others
}
