// Resolves references to components of the document.
import type { Document } from '../spec/document.ts'

export interface Resolved<T> {
  value: T
  /** The name of the component, if it is one. */
  name: string | undefined
}

/** The linter of the document has checked that every `#/components/<kind>/<name>` exists. */
export function resolve<T>(document: Document, given: object): Resolved<T> {
  if (!('$ref' in given)) return { value: given as T, name: undefined }
  const [kind = '', name = ''] = String(given.$ref).split('/').slice(2)
  const components = document.components as Record<string, Record<string, object> | undefined>
  return { value: resolve<T>(document, components[kind]?.[name] as object).value, name }
}
