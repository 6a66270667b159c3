// Schemas of the model as JSON again, for programs that read JSON Schema.
import type { Schema } from './schema.ts'

/**
 * @param written may give what to write for a part, such as a reference; it must for one that contains itself
 */
export function plainSchema(
  schema: Schema,
  written: (part: Schema) => Record<string, unknown> | undefined = () => undefined,
): Record<string, unknown> {
  const { pointer, name, isShared, discriminator, ...keywords } = schema
  const one = (part: Schema): Record<string, unknown> => written(part) ?? plainSchema(part, written)
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
