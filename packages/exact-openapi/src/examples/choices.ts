// The schemas that a value has to fit, for each choice between the alternatives of a schema.
import type { Schema } from '../model/index.ts'

/** @param within the schemas that the value is a part of: alternatives that lead back to them come last */
export function* schemasToSatisfy(schema: Schema, within: readonly Schema[]): Generator<Schema[]> {
  const { allOf = [], oneOf, anyOf, if: condition } = schema
  const branches = [oneOf, anyOf].flatMap((all) =>
    all ? [inOrder(all, within).map((part) => named(schema, part))] : [],
  )
  const conditions = condition ? [[[condition, ...listed(schema.then)], listed(schema.else)]] : []
  for (const chosen of combined([...branches, ...conditions].map((choice) => () => choice))) {
    const parts = [...allOf, ...chosen.flat()].map((part) => () => schemasToSatisfy(part, within))
    for (const demands of combined(parts)) yield [schema, ...demands.flat()]
  }
}

const listed = (part: Schema | undefined): Schema[] => (part ? [part] : [])

/** One of each list, in every way; the first of each come first. */
function* combined<T>([first, ...others]: readonly (() => Iterable<T>)[]): Generator<T[]> {
  if (!first) return yield []
  for (const one of first()) for (const more of combined(others)) yield [one, ...more]
}

function inOrder(branches: readonly Schema[], within: readonly Schema[]): Schema[] {
  const rank = (schema: Schema) => (within.includes(schema) ? 2 : 0) + (schema.type === 'null' ? 1 : 0)
  return branches.toSorted((a, b) => rank(a) - rank(b))
}

/** With the value of the discriminator that chooses it. */
function named({ discriminator }: Schema, branch: Schema): Schema[] {
  const [value] = discriminator?.choices.find(({ schema }) => schema === branch)?.values ?? []
  if (!discriminator || value === undefined) return [branch]
  const { propertyName } = discriminator
  return [
    { pointer: '', properties: { [propertyName]: { pointer: '', enum: [value] } }, required: [propertyName] },
    branch,
  ]
}
