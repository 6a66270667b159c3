// A large reference in parts, each on a page of its own: the guide, the operations of each group, a hundred schemas.
import { details, first } from './paths.ts'
import type { Reference } from './tree.ts'

export function isSplit({ groups }: Reference): boolean {
  return groups.some(({ path }) => path !== first)
}

/** What the page has: on the first one, groups have no operations. */
export function partAt(reference: Reference, path: string): Reference {
  if (!isSplit(reference)) return reference
  const { guide, groups, responses, headers, schemas, introduction } = reference
  const none = { ...reference, introduction: '', guide: [], groups: [], responses: [], headers: [], schemas: [] }
  if (path === first)
    return { ...none, introduction, guide, groups: groups.map((each) => ({ ...each, operations: [] })) }
  const shared = path === details ? { responses, headers } : {}
  const isHere = (part: { path: string }) => part.path === path
  return { ...none, ...shared, groups: groups.filter(isHere), schemas: schemas.filter(isHere) }
}

/** Makes links to other parts lead to their pages. `root` leads to the root of the server. */
export function linkedFrom(reference: Reference, path: string, root: string): (html: string) => string {
  if (!isSplit(reference)) return (html) => html
  const paths = new Map([
    ...reference.guide.map(({ id }) => [id, first] as const),
    ...reference.schemas.map(({ id, path: own }) => [id, own] as const),
    ...reference.groups.flatMap((group) => [group, ...group.operations].map(({ id }) => [id, group.path] as const)),
  ])
  const pathOf = (id: string) =>
    paths.get(id) ?? (/^(?:schemas?|responses|headers)(?:-|$)/.test(id) ? details : undefined)
  return (html) =>
    html.replace(/ href="#([^"]+)"/g, (whole, id) => {
      const other = pathOf(id)
      return other === undefined || other === path ? whole : ` href="${root}${other.slice(1)}#${id}"`
    })
}
