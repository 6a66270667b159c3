// The document itself, as it is written. Only the model looks into it: to everything else it is opaque.
import type { OpenAPIV3 } from 'openapi-types'

declare const content: unique symbol

/** A parsed document. `modelOf` reads it. */
export interface Document {
  readonly [content]: never
}

/** The extensions of a part of the document, as they are written: declare yours to type them. */
export interface Extensions {
  readonly [name: `x-${string}`]: unknown
}

export type RawDocument = OpenAPIV3.Document<Extensions>

export const rawOf = (document: Document) => document as unknown as RawDocument

export function extensionsOf(part: object): Extensions {
  return Object.fromEntries(Object.entries(part).filter(([name]) => name.startsWith('x-')))
}

/** With all that it contains. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}
