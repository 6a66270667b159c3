// The paths of the pages of a reference.
import type { Model } from 'exact-openapi'
import { slug } from './ids.ts'
import { tagsOf } from './tags.ts'

/** A reference with more operations is split. */
const MOST_OPERATIONS = 100
/** On one page of a reference that is split. */
const MOST_SCHEMAS = 100

/** Of the first page, and of what the operations share. */
export const first = '/docs'
export const details = '/docs/details'

export const webhooksPath = (model: Model) => (isSplit(model) ? '/docs/webhooks' : first)

const isSplit = ({ operations }: Model) => operations.length > MOST_OPERATIONS

/** The path of each schema's page, in the order of the document. */
export function schemaPaths(model: Model): string[] {
  return Array.from(model.schemas, (_, at) => {
    if (!isSplit(model)) return first
    return at < MOST_SCHEMAS ? details : `${details}-${Math.floor(at / MOST_SCHEMAS) + 1}`
  })
}

/** The path of each group's page, by the group's name. */
export function groupPaths(model: Model): Map<string, string> {
  const slugs = tagsOf(model).map(({ name }) => slug(name))
  return new Map(
    tagsOf(model).map(({ name }, i) => {
      const isOwn = slugs[i] !== '' && slugs.indexOf(String(slugs[i])) === i
      return [name, isSplit(model) ? `/docs/tags/${isOwn ? slugs[i] : `${slugs[i] || 'tag'}-${i + 1}`}` : first]
    }),
  )
}

/** The paths of all parts, the first page's first. */
export function partPaths(model: Model): string[] {
  return [
    ...new Set([
      ...[first, ...groupPaths(model).values()],
      ...(model.webhooks.length > 0 ? [webhooksPath(model)] : []),
      ...(isSplit(model) ? [details] : []),
      ...schemaPaths(model),
    ]),
  ]
}
