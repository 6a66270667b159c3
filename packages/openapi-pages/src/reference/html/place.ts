// Where a page stands, and what it can offer there.
import type { MoreSamples } from './samples.ts'

export interface Place {
  /** Of the page. */
  path: string
  /** Leads from the page to the root of the server. */
  root: string
  /** False where the API cannot be called from: the page says so, and nothing can be tried. */
  isApiKnown: boolean
  hasChangelog: boolean
  /** The languages of samples that have a page of their own. */
  more: readonly MoreSamples[]
}
