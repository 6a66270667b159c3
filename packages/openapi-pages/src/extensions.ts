// The extensions of a document that the pages read.
import type { Info, Operation, Tag } from 'exact-openapi/model'

interface OperationExtensions {
  'x-explorer-enabled'?: boolean
  'x-stability'?: 'experimental' | 'beta'
  /** A date: `2027-12-31`. */
  'x-deprecated-since'?: string
  'x-sunset'?: string
  /** Shown beside the operation. */
  'x-codeSamples'?: readonly CodeSample[]
  /** What the search finds the operation by, in addition to its text. */
  'x-search-terms'?: readonly string[]
}

export interface CodeSample {
  lang: string
  /** The name of the language, unless given. */
  label?: string
  source: string
}

/** The client that JavaScript samples call: it exports `createClient` and a class of errors with `code`. */
export interface ApiClient {
  package: string
  error: string
  /** The heading of the description that says how to install it. */
  section: string
}

interface InfoExtensions {
  'x-client'?: ApiClient
  /** By the headings of the description. */
  'x-search-terms'?: Readonly<Record<string, readonly string[]>>
}

export const ofOperation = ({ extensions }: Operation) => extensions as OperationExtensions
export const ofInfo = ({ extensions }: Info) => extensions as InfoExtensions
export const ofTag = ({ extensions }: Tag) => extensions as Pick<OperationExtensions, 'x-search-terms'>
