// What schemas consist of.
import { listed, named, one, type Schema } from './schema.ts'

/** The schemas of which all or some describe the same value. */
export const alternativesOf = ({ allOf = [], oneOf = [], anyOf = [] }: Schema): Schema[] => [
  ...allOf,
  ...oneOf,
  ...anyOf,
]

/** The same, and what it must not be. */
export const composing = (schema: Schema): Schema[] => [...alternativesOf(schema), ...(schema.not ? [schema.not] : [])]

/** All schemas that a schema is made of. */
export function partsOf(schema: Schema): Schema[] {
  const parts = [
    ...[...one, 'additionalProperties' as const].map((key) => schema[key]),
    ...named.flatMap((key) => Object.values(schema[key] ?? {})),
    ...listed.flatMap((key) => schema[key] ?? []),
  ]
  return parts.filter((part) => typeof part === 'object')
}

/** These schemas, their parts, and the parts of those. */
export function reachable(schemas: readonly Schema[], partsIn: (schema: Schema) => Schema[]): ReadonlySet<Schema> {
  const all = new Set(schemas)
  for (const schema of all) for (const part of partsIn(schema)) all.add(part)
  return all
}

/** Whether a value had to be checked against the schema again and again. */
export const isEndless = (schema: Schema) => reachable(composing(schema), composing).has(schema)
