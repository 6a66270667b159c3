// `x-search-terms`: what readers call a heading, a tag or an operation, in other words than the document does.
import type { Document } from '../../spec/model/document.ts'
import { modelOf } from '../../spec/model/index.ts'
import { slug } from './guide.ts'

/** Its words, by the id that the part has in the reference. */
export function searchTermsOf(document: Document): Record<string, string> {
  const { info, tags = [] } = document
  const terms = [
    ...Object.entries(termsOf<Record<string, string[]>>(info) ?? {}).map(([title, words]) => [slug(title), words]),
    ...tags.map((tag) => [`tag-${tag.name}`, termsOf<string[]>(tag)]),
    ...modelOf(document).operations.map((operation) => [operation.id, termsOf<string[]>(operation)]),
  ] as const
  return Object.fromEntries(terms.flatMap(([id, words]) => (Array.isArray(words) ? [[id, words.join(', ')]] : [])))
}

function termsOf<Terms>(part: object): Terms | undefined {
  return (part as { 'x-search-terms'?: Terms })['x-search-terms']
}
