// Copies of a document that differ from it in one respect.
import type { OpenAPIV3 } from 'openapi-types'
import { type Document, documentOf, type Extensions, rawOf } from './document.ts'
import { modelOf, type Server } from './model.ts'
import type { Operation } from './operation.ts'

export function withServers(document: Document, servers: readonly Server[]): Document {
  return documentOf({ ...rawOf(document), servers: [...servers] })
}

/** An extension of each operation has another value. */
export function withExtension(
  document: Document,
  name: keyof Extensions,
  replaced: (operation: Operation) => unknown,
): Document {
  const paths = structuredClone(rawOf(document).paths)
  for (const operation of modelOf(document).operations) {
    const node = paths[operation.path]?.[operation.method.toLowerCase() as OpenAPIV3.HttpMethods] as object
    Object.assign(node, { [name]: replaced(operation) })
  }
  return documentOf({ ...rawOf(document), paths })
}

/**
 * For libraries: with numbers instead of bigints, and without `$id`, which OpenAPI 3.0 does not have, but which they take
 * for the base of references, even in examples.
 */
export function plainCopy(
  document: Document,
  replaced: (key: string, value: unknown) => unknown = (_key, value) => value,
): Record<string, unknown> {
  const plain = (key: string, value: unknown) =>
    key === '$id' ? undefined : typeof value === 'bigint' ? Number(value) : replaced(key, value)
  return JSON.parse(JSON.stringify(document, plain))
}
