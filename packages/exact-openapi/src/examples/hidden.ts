// A given value as it is sent.
import { isLosslessNumber } from 'lossless-json'
import { isHidden, propertyOf, type Schema } from '../model/index.ts'
import type { Direction } from './violations.ts'

/** A value without what is readOnly in a request, or writeOnly in a response. */
export function withoutHidden(schema: Schema | undefined, value: unknown, direction: Direction): unknown {
  if (!schema || typeof value !== 'object' || value === null || isLosslessNumber(value)) return value
  if (Array.isArray(value)) return value.map((item) => withoutHidden(schema.items, item, direction))
  const fields = Object.entries(value).map(([name, field]) => [name, field, propertyOf(schema, name)] as const)
  const shown = fields.filter(([, , property]) => !isHidden(property, direction))
  return Object.fromEntries(shown.map(([name, item, property]) => [name, withoutHidden(property, item, direction)]))
}
