// `x-search-terms`: what readers call a heading, a tag or an operation, in other words than the document does.
import type { Model } from 'exact-openapi/model'
import { ofInfo, ofOperation, ofTag } from '../extensions.ts'
import { slug } from './ids.ts'

/** Its words, by the id that the part has in the reference. */
export function searchTermsOf({ info, tags, operations }: Model): Record<string, string> {
  const terms: [id: string, words: readonly string[]][] = [
    ...Object.entries(ofInfo(info)['x-search-terms'] ?? {}).map(([title, words]): [string, readonly string[]] => [
      slug(title),
      words,
    ]),
    ...tags.map((tag): [string, readonly string[]] => [`tag-${tag.name}`, ofTag(tag)['x-search-terms'] ?? []]),
    ...operations.map((operation): [string, readonly string[]] => [
      operation.id,
      ofOperation(operation)['x-search-terms'] ?? [],
    ]),
  ]
  return Object.fromEntries(
    terms.filter(([, words]) => words.length > 0).map(([id, words]) => [id.replace(/\s+/g, '-'), words.join(', ')]),
  )
}
