// Where a page stands, and what it can offer there.
import type { MoreSamples } from './samples.ts'

/** What pages can leave out. */
export type Hidden = 'tryIt' | 'samples' | 'schemas' | 'swaggerUi' | 'downloads' | 'discovery'

export interface PageContext {
  /** Of the page. */
  path: string
  /** The heading of a page that has a part of the reference. */
  name: string
  /** Leads from the page to the root of the server. */
  root: string
  /** Leads from the page to the first page of the reference. */
  docs: string
  /** Leads from the page to where the API's relative servers are. */
  apiRoot: string
  /** The path of the document below `root`, without its extension. */
  document: string
  /** False where the API cannot be called from: the page says so, and nothing can be tried. */
  isApiKnown: boolean
  hasChangelog: boolean
  /** What the pages do not offer. */
  hide: ReadonlySet<Hidden>
  /** The languages of samples that have a page of their own. */
  more: readonly MoreSamples[]
}
