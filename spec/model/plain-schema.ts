// Schemas of the model as JSON again, for programs that read JSON Schema.
import type { Schema } from './schema.ts'

/**
 * @param refTo may give a reference for a part, which is then not written out; it must for one that contains itself
 */
export function plainSchema(
  schema: Schema,
  refTo: (part: Schema) => { $ref: string } | undefined = () => undefined,
): Record<string, unknown> {
  const { pointer, name, isShared, discriminator, ...keywords } = schema
  const one = (part: Schema): Record<string, unknown> => refTo(part) ?? plainSchema(part, refTo)
  const { items, properties, additionalProperties: others, allOf, oneOf, anyOf, not } = keywords
  return {
    ...keywords,
    ...(items && { items: one(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, one(part)])),
    }),
    ...(typeof others === 'object' && { additionalProperties: one(others) }),
    ...(allOf && { allOf: allOf.map(one) }),
    ...(oneOf && { oneOf: oneOf.map(one) }),
    ...(anyOf && { anyOf: anyOf.map(one) }),
    ...(not && { not: one(not) }),
  }
}
