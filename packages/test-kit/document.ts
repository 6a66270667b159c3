import type { Document } from 'exact-openapi'

/** A document with these paths, and components if any. */
export function documentOf(paths: object, components: object = {}): Document {
  return { openapi: '3.0.3', info: { title: 'Other', version: '1' }, paths, components } as never
}
