// A given value as it is sent.
import { isHidden, propertyOf, type Schema } from '../model/index.ts'
import type { Direction } from './violations.ts'

/** A value without what is readOnly in a request, or writeOnly in a response. */
export function withoutHidden(schema: Schema | undefined, value: unknown, place: Direction): unknown {
  if (!schema || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withoutHidden(schema.items, one, place))
  const fields = Object.entries(value).map(([name, one]) => [name, one, propertyOf(schema, name)] as const)
  const shown = fields.filter(([, , property]) => !isHidden(property, place))
  return Object.fromEntries(shown.map(([name, one, property]) => [name, withoutHidden(property, one, place)]))
}
