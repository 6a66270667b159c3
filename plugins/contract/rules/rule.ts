// What a rule is.
import type { Operation } from '../../../spec/model/index.ts'

/** Something that is not supported, and what to write instead. */
export type Problem = string | false

export interface Rule {
  /** The columns of the table, as Markdown. */
  feature: string
  supported: string
  refused: string
  problemsOf?(operation: Operation): readonly Problem[]
  /** The file that reads the feature, and rejects what it does not support. */
  checkedIn?: string
}

export const unsupported = (what: string, instead: string): Problem => `${what} is not supported: ${instead}`

export const scalars: ReadonlySet<unknown> = new Set(['string', 'boolean', 'integer', 'number'])
