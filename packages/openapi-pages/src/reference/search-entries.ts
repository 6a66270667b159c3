// What the search finds on all pages of a reference: a page itself has only its own part.
import { allFields, type Content, type Field } from './fields.ts'
import { isSplit } from './parts.ts'
import { detailsPath } from './paths.ts'
import type { OperationPart, Reference, ResponsePart } from './tree.ts'

interface Found {
  id: string
  title: string
  kind: string
  text: string
  context?: string
  endpoint?: string
}

/** With the path of its page. */
export type PlacedEntry = Found & { page: string; synonyms: string | undefined }

export function searchEntries(reference: Reference): PlacedEntry[] {
  const { base, groups, guide, responses, headers, schemas, schemes, searchTerms } = reference
  const details = isSplit(reference) ? detailsPath(base) : base
  const at = (page: string, entries: readonly Found[]) =>
    distinct(entries).map((entry) => ({ ...entry, page, synonyms: searchTerms[entry.id] }))
  return [
    ...at(
      base,
      guide.map(({ id, title, text }) => ({ id, title, kind: 'Guide', text: plain(text) })),
    ),
    ...groups.flatMap(({ id, name, description, path, operations }) =>
      at(path, [{ id, title: name, kind: 'Group', text: plain(description) }, ...operations.flatMap(ofOperation)]),
    ),
    ...at(details, [
      ...responses.flatMap((response) => ofResponse(response, 'Common errors')),
      ...ofFields(headers, 'Header', 'Response headers'),
      ...schemes.map(({ id, name, text }) => ({ id, title: name, kind: 'Guide', text: plain(text) })),
    ]),
    ...schemas.flatMap(({ id, name, path, part }) => {
      const { description, content } = part()
      return at(path, [{ id, title: name, kind: 'Schema', text: plain(description) }, ...ofContent(content, name)])
    }),
  ]
}

function ofOperation({ id, method, path, summary, description, parameters, body, responses }: OperationPart): Found[] {
  return [
    { id, title: summary, kind: 'Operation', endpoint: `${method} ${path}`, text: plain(description) },
    ...ofFields(parameters, 'Parameter', summary),
    ...(body?.formats ?? []).flatMap(({ content }) => ofContent(content, summary)),
    ...responses.flatMap((response) => ofResponse(response, summary)),
  ]
}

const ofResponse = ({ id, status, reason, description, formats }: ResponsePart, context: string): Found[] => [
  { id, title: `${status} ${reason}`.trimEnd(), kind: 'Response', context, text: plain(description) },
  ...formats.flatMap(({ content }) => ofContent(content, context)),
]

const ofContent = (content: Content, context: string) => ofFields(allFields(content), 'Field', context)

const ofFields = (fields: readonly Field[], kind: string, context: string): Found[] =>
  fields.map(({ id, name, description, type }) => {
    return { id, title: name, kind, context, text: plain([description, ...type.values].join(' ')) }
  })

/** Of a page: what many operations have in the same way is found once. */
function distinct(entries: readonly Found[]): Found[] {
  const all = entries.toReversed().map((entry) => [[entry.kind, entry.title, entry.text].join('\n'), entry] as const)
  return [...new Map(all).values()]
}

/** A result shows a line of it. */
const LONGEST = 400

/** Without markup. */
const plain = (text: string) =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)|<[^>]*>|[*`#|]/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
