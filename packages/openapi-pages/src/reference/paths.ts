// The paths of the pages of a reference.
import type { Model } from 'exact-openapi/model'
import { slug } from './ids.ts'
import { tagsOf } from './tags.ts'

/** A reference with more operations is split. */
const MOST_OPERATIONS = 100
/** On one page of a reference that is split. */
const MOST_SCHEMAS = 100

/** Of what the operations share. @param base the path of the first page */
export const detailsPath = (base: string) => `${base}/details`

export const webhooksPath = (model: Model, base: string) => (isSplit(model) ? `${base}/webhooks` : base)

const isSplit = ({ operations }: Model) => operations.length > MOST_OPERATIONS

/** The path of each schema's page, in the order of the document. */
export function schemaPaths(model: Model, base: string): string[] {
  return Array.from(model.schemas, (_, at) => {
    if (!isSplit(model)) return base
    return at < MOST_SCHEMAS ? detailsPath(base) : `${detailsPath(base)}-${Math.floor(at / MOST_SCHEMAS) + 1}`
  })
}

/** The path of each group's page, by the group's name. */
export function groupPaths(model: Model, base: string): Map<string, string> {
  const slugs = tagsOf(model).map(({ name }) => slug(name))
  return new Map(
    tagsOf(model).map(({ name }, i) => {
      const isOwn = slugs[i] !== '' && slugs.indexOf(String(slugs[i])) === i
      return [name, isSplit(model) ? `${base}/tags/${isOwn ? slugs[i] : `${slugs[i] || 'tag'}-${i + 1}`}` : base]
    }),
  )
}

/** The paths of all parts, the first page's first. */
export function partPaths(model: Model, base: string, hasSchemas: boolean): string[] {
  return [
    ...new Set([
      ...[base, ...groupPaths(model, base).values()],
      ...(model.webhooks.length > 0 ? [webhooksPath(model, base)] : []),
      ...(isSplit(model) ? [detailsPath(base)] : []),
      ...(hasSchemas ? schemaPaths(model, base) : []),
    ]),
  ]
}
