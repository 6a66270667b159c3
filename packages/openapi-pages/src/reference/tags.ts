// The tags of the document: each makes a group of operations.
import type { Model, Operation, Tag } from 'exact-openapi/model'

/** In the document's order, then those that only operations name. A tag without operations makes no group. */
export function tagsOf({ tags, operations }: Model): Omit<Tag, 'extensions'>[] {
  const used = new Set(operations.map(tagOf))
  const others = [...used].filter((name) => tags.every((tag) => tag.name !== name))
  const isFirst = ({ name }: Tag, at: number) => tags.findIndex((tag) => tag.name === name) === at
  return [...tags.filter((tag, at) => used.has(tag.name) && isFirst(tag, at)), ...others.map(undescribed)]
}

const undescribed = (name: string) => ({ name, summary: '', description: '', externalDocs: undefined })

export function tagOf({ tags }: Operation): string {
  return tags[0] ?? 'Other'
}
