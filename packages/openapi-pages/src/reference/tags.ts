// The tags of the document: each makes a group of operations.
import type { Model, Operation, Tag } from 'exact-openapi/model'

type Named = Omit<Tag, 'extensions'>

/** In the document's order, then those that only operations name. A tag without operations makes no group. */
export function tagsOf(model: Model): (Named & { title: string })[] {
  const { tags, operations } = model
  const used = new Set(operations.map((one) => tagOf(one, model)))
  const others = [...used].filter((name) => tags.every((tag) => tag.name !== name))
  const isFirst = ({ name }: Tag, at: number) => tags.findIndex((tag) => tag.name === name) === at
  const own = tags.filter((tag, at) => used.has(tag.name) && isFirst(tag, at))
  return [...own.map((tag) => ({ ...tag, title: titleOf(tag) })), ...others.map(undescribed)]
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
