// The tags of the document: each makes a group of operations.
import type { Model, Operation, Tag } from 'exact-openapi/model'

type Titled = Omit<Tag, 'extensions'> & { title: string }

/** In the document's order, then those that only operations name. A tag without operations makes no group. */
export function tagsOf(model: Model): (Titled & { section: string })[] {
  const { tags, operations } = model
  const used = new Set(operations.map((operation) => tagOf(operation, model)))
  const others = [...used].filter((name) => tags.every((tag) => tag.name !== name))
  const isFirst = ({ name }: Tag, at: number) => tags.findIndex((tag) => tag.name === name) === at
  const described = tags.filter((tag, at) => used.has(tag.name) && isFirst(tag, at))
  return inSections([...described.map((tag) => ({ ...tag, title: titleOf(tag) })), ...others.map(undescribed)], model)
}

/** Under the groups of tags, or in OpenAPI 3.2 under the tag that all are parts of; '' where a tag stands by itself. */
function inSections(tags: readonly Titled[], model: Model): (Titled & { section: string })[] {
  const groups = tagGroupsIn(model)
  const rootOf = (name: string, within: readonly string[] = []): string => {
    const parent = model.tags.find((tag) => tag.name === name)?.parent
    return parent === undefined || within.includes(name) ? name : rootOf(parent, [...within, name])
  }
  const sectionOf = ({ name }: Titled) => {
    if (groups.length > 0) return groups.find((group) => group.tags.includes(name))?.name ?? ''
    const root = rootOf(name)
    const isAlone = root === name && !model.tags.some(({ parent }) => parent === name)
    const tag = model.tags.find((candidate) => candidate.name === root)
    return isAlone ? '' : tag ? titleOf(tag) : root
  }
  const all = tags.map((tag) => ({ ...tag, section: sectionOf(tag) }))
  const rank = ({ name, section }: (typeof all)[number]): number[] => {
    if (groups.length === 0)
      return [
        all.findIndex((candidate) => (candidate.section === section && section !== '') || candidate.name === name),
      ]
    const at = groups.findIndex((group) => group.name === section)
    return at < 0 ? [groups.length] : [at, Number(groups[at]?.tags.indexOf(name))]
  }
  const compared = (a: number[], b: number[]) => Number(a[0]) - Number(b[0]) || Number(a[1] ?? 0) - Number(b[1] ?? 0)
  return all.toSorted((a, b) => compared(rank(a), rank(b)))
}

/** As ReDoc reads them. */
function tagGroupsIn({ extensions }: Model): { name: string; tags: string[] }[] {
  const { 'x-tagGroups': groups } = extensions as { 'x-tagGroups'?: unknown }
  const all = Array.isArray(groups) ? groups.map((group) => Object(group)) : []
  return all.filter(({ name, tags }) => typeof name === 'string' && Array.isArray(tags))
}

/** In OpenAPI 3.2, its summary; before, an extension. */
function titleOf({ name, summary, extensions }: Tag): string {
  const { 'x-displayName': title } = extensions as { 'x-displayName'?: unknown }
  return summary || (typeof title === 'string' && title) || name
}

const undescribed = (name: string) => ({ name, title: name, summary: '', description: '', externalDocs: undefined })

/** Its first tag. Where no operation has one, paths make groups, by the first segment in which they differ. */
export function tagOf({ tags: [tag], path }: Operation, { operations }: Model): string {
  if (tag !== undefined || operations.some(({ tags }) => tags.length > 0)) return tag ?? 'Other'
  const groupOf = known.get(operations) ?? groupsBy(operations)
  known.set(operations, groupOf)
  return groupOf(path)
}

const known = new WeakMap<readonly Operation[], (path: string) => string>()

/** More groups than these, in relation to the operations, are none. */
const MOST_GROUPS = 0.7

function groupsBy(operations: readonly Operation[]): (path: string) => string {
  const all = operations.map(({ path }) => segmentsOf(path))
  const [first = []] = all
  const shared = Math.max(
    0,
    first.findIndex((part, at) => all.some((other) => other[at] !== part)),
  )
  const groupOf = (segments: readonly string[]) => segments[shared] ?? segments.at(-1) ?? 'Operations'
  const isGrouped = new Set(all.map(groupOf)).size <= MOST_GROUPS * all.length
  return (path) => (isGrouped ? groupOf(segmentsOf(path)) : 'Operations')
}

const segmentsOf = (path: string) => path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
