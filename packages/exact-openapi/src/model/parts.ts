// What schemas consist of.
import type { Schema } from './schema.ts'

/** The schemas of the same value. */
export const composing = ({ allOf = [], oneOf = [], anyOf = [], not }: Schema): Schema[] => [
  ...[...allOf, ...oneOf, ...anyOf],
  ...(not ? [not] : []),
]

/** These schemas, their parts, and the parts of those. */
export function reachable(schemas: readonly Schema[], partsIn: (schema: Schema) => Schema[]): ReadonlySet<Schema> {
  const all = new Set(schemas)
  for (const schema of all) for (const part of partsIn(schema)) all.add(part)
  return all
}

/** Whether a value had to be checked against the schema again and again. */
export const isEndless = (schema: Schema) => reachable(composing(schema), composing).has(schema)
