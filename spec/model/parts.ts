// What schemas contain: their parts, and the parts of those.
import type { Schema } from './schema.ts'

export type Test = (schema: Schema) => boolean

/** The schemas of the same value. */
const composing = ({ allOf = [], oneOf = [], anyOf = [], not }: Schema) => [
  ...[...allOf, ...oneOf, ...anyOf],
  ...(not ? [not] : []),
]

/** The schemas that a schema is made of. */
function partsOf(schema: Schema): Schema[] {
  const { items, properties = {}, additionalProperties: others } = schema
  const more = [items, others].filter((one) => typeof one === 'object')
  return [...Object.values(properties), ...more, ...composing(schema)]
}

/** These schemas and all that they contain. */
export function reachable(schemas: readonly Schema[], partsIn = partsOf): ReadonlySet<Schema> {
  const all = new Set(schemas)
  for (const schema of all) for (const part of partsIn(schema)) all.add(part)
  return all
}

/** Whether a value had to be checked against the schema again and again. */
export const isEndless = (schema: Schema) => reachable(composing(schema), composing).has(schema)

/** Whether a schema, or one that it contains, passes the test. */
export function leadsTo(passes: Test): Test {
  const known = new Map<Schema, boolean>()
  return (schema) => {
    const found = known.get(schema) ?? [...reachable([schema])].some(passes)
    known.set(schema, found)
    return found
  }
}
