// The tags of the document: each makes a group of operations.
import type { Model, Operation } from 'exact-openapi'

/** In the document's order, then those that only operations name. A tag without operations makes no group. */
export function tagsOf({ tags, operations }: Model): { name: string; description?: string }[] {
  const used = new Set(operations.map(tagOf))
  const others = [...used].filter((name) => tags.every((tag) => tag.name !== name))
  return [...tags.filter(({ name }) => used.has(name)), ...others.map((name) => ({ name }))]
}

export function tagOf({ tags }: Operation): string {
  return tags[0] ?? 'Other'
}
