// What schemas contain.
import { partsOf, reachable, type Schema } from '../model/index.ts'

export type Test = (schema: Schema) => boolean

/** These schemas and all that they contain. */
export const allIn = (schemas: readonly Schema[]) => reachable(schemas, partsOf)

/** Whether a schema, or one that it contains, passes the test. */
export function leadsTo(passes: Test): Test {
  const known = new Map<Schema, boolean>()
  return (schema) => {
    const found = known.get(schema) ?? [...allIn([schema])].some(passes)
    known.set(schema, found)
    return found
  }
}
