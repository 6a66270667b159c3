// The paths of the pages of a reference.
import type { Model } from '../../spec/model/index.ts'
import { slug } from './ids.ts'
import { tagsOf } from './tags.ts'

/** A reference with more operations is split. */
const MOST_OPERATIONS = 100

/** Of the first page, and of what the operations share. */
export const first = '/docs'
export const details = '/docs/details'

/** The path of each group's page, by the group's name. */
export function groupPaths(model: Model): Map<string, string> {
  const isSplit = model.operations.length > MOST_OPERATIONS
  const slugs = tagsOf(model).map(({ name }) => slug(name))
  return new Map(
    tagsOf(model).map(({ name }, i) => {
      const isOwn = slugs[i] !== '' && slugs.indexOf(String(slugs[i])) === i
      return [name, isSplit ? `/docs/tags/${isOwn ? slugs[i] : `${slugs[i] || 'tag'}-${i + 1}`}` : first]
    }),
  )
}

/** The paths of all parts, the first page's first. */
export function partPaths(model: Model): string[] {
  const paths = [...groupPaths(model).values()]
  return paths.every((path) => path === first) ? [first] : [first, ...paths, details]
}
