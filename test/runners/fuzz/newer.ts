// A document of 3.0 as its author would write it in 3.1.
import type { Document } from 'exact-openapi'
import { plainCopy } from 'exact-openapi/model'

export const newer = (document: Document): Document =>
  ({ ...plainCopy(document, inFull), openapi: '3.1.0' }) as unknown as Document

function inFull(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { nullable, ...schema } = value as Record<string, unknown>
  if (nullable === true && typeof schema.type === 'string') schema.type = [schema.type, 'null']
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue
    if (schema[exclusive]) schema[exclusive] = schema[bound]
    delete schema[schema[exclusive] ? bound : exclusive]
  }
  return schema
}
