// A value of a schema, for what the document gives no example of.
import { fieldsOf, type Schema } from 'exact-openapi'

const texts: Record<string, string> = {
  date: '2026-10-05',
  'date-time': '2026-10-05T09:00:00Z',
  email: 'user@example.com',
  uri: 'https://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
}

/** An example, default or known value of its own, else the first that its type allows. Patterns are not read. */
export function exampleValue(schema: Schema | undefined, within: readonly Schema[] = []): unknown {
  if (!schema || within.includes(schema)) return 'string'
  const { type, format = '', enum: values = [], items, allOf = [], oneOf = [], anyOf = [] } = schema
  const given = [schema.example, schema.default, ...values].find((value) => value !== undefined)
  if (given !== undefined) return given
  const partOf = (one: Schema | undefined) => exampleValue(one, [...within, schema])
  if (type === 'array') return [partOf(items)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  const parts = [...allOf, ...[...oneOf, ...anyOf].slice(0, 1)]
  if (type !== 'object' && !schema.properties) return parts.length > 0 ? merged(parts.map(partOf)) : textOf(format)
  const { properties, required } = fieldsOf(schema, 'request')
  const fields = Object.entries(properties).filter(([name]) => required.includes(name))
  return merged([...parts.map(partOf), Object.fromEntries(fields.map(([name, one]) => [name, partOf(one)]))])
}

const textOf = (format: string): string => texts[format] ?? 'string'

/** Objects as one; of other values, the first. */
function merged(values: readonly unknown[]): unknown {
  return values.every((value) => typeof value === 'object') ? Object.assign({}, ...values) : values[0]
}
