// Schemas of the model as JSON again, for programs that read JSON Schema.
import { type Schema, schemaKeywords, schemaListKeywords, schemaMapKeywords } from './schema.ts'

const [single, keyed, several]: (readonly string[])[] = [
  [...schemaKeywords, 'additionalProperties'],
  schemaMapKeywords,
  schemaListKeywords,
]

/**
 * @param written may give what to write for a part, such as a reference; it must for one that contains itself
 */
export function plainSchema(
  schema: Schema,
  written: (part: Schema) => Record<string, unknown> | undefined = () => undefined,
): Record<string, unknown> {
  const { pointer, name, isShared, hasBigints, defaults, discriminator, ...keywords } = schema
  const plain = (part: Schema): unknown => written(part) ?? plainSchema(part, written)
  const entries = Object.entries(keywords).map(([key, value]) => {
    if (typeof value !== 'object') return [key, value]
    if (single?.includes(key)) return [key, plain(value as Schema)]
    if (several?.includes(key)) return [key, (value as Schema[]).map(plain)]
    if (!keyed?.includes(key)) return [key, value]
    return [key, Object.fromEntries(Object.entries(value as object).map(([field, part]) => [field, plain(part)]))]
  })
  return Object.fromEntries(entries)
}
