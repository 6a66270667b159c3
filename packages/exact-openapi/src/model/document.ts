// The document itself, as it is written. Only the model looks into it: to everything else it is opaque.
import type { OpenAPIV3 } from 'openapi-types'

declare const content: unique symbol

/** A parsed document. `modelOf` reads it. */
export interface Document {
  readonly [content]: never
}

/** The extensions of operations that this service implements. Dates are ISO 8601, `2027-12-31`. */
export interface Extensions {
  'x-explorer-enabled'?: boolean
  'x-stability'?: 'experimental' | 'beta'
  'x-deprecated-since'?: string
  'x-sunset'?: string
  /** Shown beside the operation. Addresses begin with `exampleServer`. */
  'x-codeSamples'?: readonly { lang: string; label: string; source: string }[]
  /** What the search finds the operation by, in addition to its text. */
  'x-search-terms'?: readonly string[]
}

export type RawDocument = OpenAPIV3.Document<Extensions>

export const rawOf = (document: Document) => document as unknown as RawDocument
export const documentOf = (raw: RawDocument) => raw as unknown as Document
