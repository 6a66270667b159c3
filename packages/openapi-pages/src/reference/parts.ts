// A large reference in parts, each on a page of its own: the guide, the operations of each group, a hundred schemas.
import { detailsPath } from './paths.ts'
import type { Reference } from './tree.ts'

export function isSplit({ groups, base }: Reference): boolean {
  return groups.some(({ path }) => path !== base)
}

/** What the page has: on the first one, groups have no operations. */
export function partAt(reference: Reference, path: string): Reference {
  if (!isSplit(reference)) return reference
  const { guide, groups, responses, headers, schemes, schemas, introduction } = reference
  const empty = { guide: [], groups: [], responses: [], headers: [], schemes: [], schemas: [] }
  const none = { ...reference, introduction: '', ...empty }
  if (path === reference.base)
    return { ...none, introduction, guide, groups: groups.map((each) => ({ ...each, operations: [] })) }
  const shared = path === detailsPath(reference.base) ? { responses, headers, schemes } : {}
  const isHere = (part: { path: string }) => part.path === path
  return { ...none, ...shared, groups: groups.filter(isHere), schemas: schemas.filter(isHere) }
}

/** The heading of a page that has a part of the reference; '' for the first page. */
export function partName({ groups, base }: Reference, path: string): string {
  if (path === base) return ''
  const [, number] = /-(\d+)$/.exec(path.slice(detailsPath(base).length)) ?? []
  return groups.find((group) => group.path === path)?.name ?? (number ? `Schemas, part ${number}` : 'Details')
}

/** Makes links to other parts lead to their pages. `root` leads to the root of the server. */
export function linkedFrom(reference: Reference, path: string, root: string): (html: string) => string {
  const { base } = reference
  if (!isSplit(reference) && path === base) return (html) => html
  const paths = known.get(reference) ?? pathsOf(reference)
  known.set(reference, paths)
  return (html) =>
    html.replace(/ href="#([^"]+)"/g, (whole, id) => {
      const other = paths.get(id) ?? (isInGuide(reference, id) ? base : path)
      return other === path ? whole : ` href="${root}${other.slice(1)}#${id}"`
    })
}

const known = new WeakMap<Reference, ReadonlyMap<string, string>>()

/** The page of each id. It takes a walk through the reference. */
function pathsOf(reference: Reference): ReadonlyMap<string, string> {
  const { base, guide, groups, responses, headers, schemes, schemas } = reference
  const details = isSplit(reference) ? detailsPath(base) : base
  const parts: [path: string, part: unknown][] = [
    [base, guide],
    [
      details,
      [{ id: 'responses' }, responses, { id: 'headers' }, headers, { id: 'security' }, schemes, { id: 'schemas' }],
    ],
    ...[...groups, ...schemas].map((part): [string, unknown] => [part.path, part]),
  ]
  return new Map(parts.flatMap(([path, part]) => idsIn(part).map((id) => [id, path] as const)))
}

/** Of a part and of all within it. */
function idsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const own = 'id' in part ? [String(part.id)] : []
  return [...own, ...Object.values(part).flatMap(idsIn)]
}

/** The rows and headings of a section have ids that begin with its own. */
const isInGuide = ({ guide }: Reference, id: string) => guide.some((section) => id.startsWith(`${section.id}-`))
