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
  const segments = segmentsOf(path)
  return segments[sharedIn(operations)] ?? segments.at(-1) ?? 'Other'
}

const segmentsOf = (path: string) => path.split('/').filter((part) => part !== '' && !part.startsWith('{'))

/** How many segments all paths begin with. */
function sharedIn(operations: readonly Operation[]): number {
  const known = shared.get(operations)
  if (known !== undefined) return known
  const [first = [], ...others] = operations.map(({ path }) => segmentsOf(path))
  const count = Math.max(
    0,
    first.findIndex((part, at) => others.some((other) => other[at] !== part)),
  )
  shared.set(operations, count)
  return count
}

const shared = new WeakMap<readonly Operation[], number>()
