// The search for a value of a schema, as its parts continue it.
import type { Finding } from '../contract/errors.ts'
import type { Schema } from '../model/index.ts'
import type { Direction } from './violations.ts'

export interface Generated {
  value: unknown
  /** Why the schema does not accept it, if nothing was found that fits. */
  violation?: Finding | undefined
}

/** A part of a value: candidates that fit it, the best first, or, if none does, the first one. */
export interface Search {
  place: Direction
  /** The first of them; nothing for a schema that leads back to itself without an end. */
  first(schema: Schema, within: readonly Schema[]): Generated
  fitting(schema: Schema, within: readonly Schema[]): Generator<unknown>
  /** The one schema, or one of a value that has to fit all. */
  joined(parts: readonly Schema[]): Schema
}
