// A large reference in parts, each on a page of its own: the guide, the operations of each group, a hundred schemas.
import type { Html } from './html/markup.ts'
import { detailsPath } from './paths.ts'
import type { Group, Reference } from './tree.ts'

export function isSplit({ groups, base }: Reference): boolean {
  return groups.some(({ path }) => path !== base)
}

/** What the page has: on the first one, groups have no operations. */
export function partAt(reference: Reference, path: string): Reference {
  if (!isSplit(reference)) return reference
  const { guide, groups, responses, headers, schemes, schemas, introduction } = reference
  const empty = { guide: [], groups: [], responses: [], headers: [], schemes: [], schemas: [] }
  const none = { ...reference, introduction: '', ...empty }
  if (path === reference.base) return { ...none, introduction, guide, groups: groups.map(withoutOperations) }
  const shared = path === detailsPath(reference.base) ? { responses, headers, schemes } : {}
  const isHere = (part: { path: string }) => part.path === path
  return { ...none, ...shared, groups: groups.filter(isHere), schemas: schemas.filter(isHere) }
}

/** Not even made: of a large reference, that takes a second. */
const withoutOperations = ({ id, name, section, description, path, entries }: Group): Group => ({
  ...{ id, name, section, description, path, entries },
  operations: [],
})

/** The heading of a page that has a part of the reference; '' for the first page. */
export function partName({ groups, base }: Reference, path: string): string {
  if (path === base) return ''
  const [, number] = /-(\d+)$/.exec(path.slice(detailsPath(base).length)) ?? []
  return groups.find((group) => group.path === path)?.name ?? (number ? `Schemas, part ${number}` : 'Details')
}

/** Makes links to other parts lead to their pages. `root` leads to the root of the server. */
export function linkedFrom(reference: Reference, path: string, root: string): (part: Html) => Html {
  if (!isSplit(reference) && path === reference.base) return (part) => part
  const paths = known.get(reference) ?? pathsOf(reference)
  known.set(reference, paths)
  return ({ html }) => ({
    html: html.replace(/ href="#([^"]+)"/g, (whole, id) => {
      const other = pathOf(id, paths) ?? path
      return other === path ? whole : ` href="${root}${other.slice(1)}#${id}"`
    }),
  })
}

/** Ids within a part begin with its own. */
function pathOf(id: string, paths: ReadonlyMap<string, string>): string | undefined {
  for (let end = id.length; end > 0; end = id.lastIndexOf('-', end - 1)) {
    const path = paths.get(id.slice(0, end))
    if (path !== undefined) return path
  }
  return undefined
}

const known = new WeakMap<Reference, ReadonlyMap<string, string>>()

/** The page of each part. */
function pathsOf(reference: Reference): ReadonlyMap<string, string> {
  const { base, guide, groups, schemas } = reference
  const details = isSplit(reference) ? detailsPath(base) : base
  return new Map([
    ...guide.map(({ id }) => [id, base] as const),
    ...['responses', 'headers', 'security', 'schemas'].map((id) => [id, details] as const),
    ...[...groups, ...schemas].map(({ id, path }) => [id, path] as const),
    ...groups.flatMap(({ entries, path }) => entries.map(({ id }) => [id, path] as const)),
  ])
}
