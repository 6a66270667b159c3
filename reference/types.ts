// The type of a schema in words.
import type { Document, Schema } from '../spec/document.ts'
import { resolve } from './resolve.ts'
import type { Type } from './tree.ts'

const words: Record<string, string> = {
  int32: '32-bit integer',
  int64: '64-bit integer',
  date: 'date (ISO 8601)',
  'date-time': 'date and time (RFC 3339)',
}

export function typeOf(document: Document, given: object): Type {
  const { value: schema, name } = resolve<Schema>(document, given)
  if (schema.type === 'array') return { ...typeOf(document, schema.items), isArray: true }
  const { type = 'any', format = '', 'x-extensible-enum': values = [] } = schema
  const isNamed = name !== undefined && type === 'object'
  return {
    name: isNamed ? name : (words[format] ?? type),
    isArray: false,
    schemaId: name === undefined ? undefined : `schema-${name}`,
    constraints: constraintsOf(schema),
    values: schema.enum ?? values,
  }
}

function constraintsOf({ minimum, maximum, pattern }: Schema): string[] {
  const range =
    maximum === undefined
      ? minimum !== undefined && `at least ${inWords(minimum)}`
      : minimum === undefined
        ? `at most ${inWords(maximum)}`
        : `${inWords(minimum)} to ${inWords(maximum)}`
  return [range, pattern !== undefined && `pattern ${pattern}`].filter((text) => text !== false)
}

/** With thousands separators and a true minus sign. */
function inWords(value: number): string {
  return value.toLocaleString('en').replace('-', '−')
}
