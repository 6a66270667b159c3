// Unions whose branch one property decides.
import { withAllOf } from './parts.ts'
import { type Discriminator, isHidden, type Schema } from './schema.ts'

const known = new WeakMap<Schema, Discriminator['choices']>()

/**
 * The branches that the discriminator of a schema decides on, each with the values that it allows. OpenAPI 3.0.4, "Discriminator
 * Object": it never changes whether a value is valid, so every branch has to require the property, with values of its own.
 * Otherwise there are none, and the branches are tried as if there were no discriminator.
 */
export function decidedBy(schema: Schema): Discriminator['choices'] {
  if (!schema.discriminator) return []
  const choices = known.get(schema) ?? choicesOf(schema, schema.discriminator)
  known.set(schema, choices)
  return choices
}

function choicesOf(whole: Schema, { propertyName, choices }: Discriminator): Discriminator['choices'] {
  const allowed = choices.map(({ schema }) => ({ schema, values: valuesOf(whole, schema, propertyName) }))
  const values = allowed.flatMap((choice) => choice.values)
  const isDecisive = allowed.every((choice) => choice.values.length > 0) && new Set(values).size === values.length
  return isDecisive && !(whole.oneOf && whole.anyOf) ? allowed : []
}

/** The texts that a branch allows for a property that it requires; none if it allows others, or values without the property. */
function valuesOf(whole: Schema, branch: Schema, name: string): readonly string[] {
  const parts = withAllOf(branch)
  const isObject = [...parts, ...withAllOf(whole)].some(({ type, nullable }) => type === 'object' && !nullable)
  const isRequired = parts.some(({ required = [] }) => required.includes(name))
  const properties = parts.flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, name) ? withAllOf(properties[name] as Schema) : [],
  )
  const isSent = !properties.some((part) => isHidden(part, 'request') || isHidden(part, 'response'))
  const values: readonly unknown[] = properties.find((part) => part.enum)?.enum ?? []
  return isObject && isRequired && isSent && values.every((value) => typeof value === 'string') ? values : []
}
