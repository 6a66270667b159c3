// Copies of a document that differ from it in one respect.
import { type Document, type Extensions, rawOf } from './document.ts'
import { documentOf } from './identifiers.ts'
import { modelOf, type Server } from './model.ts'
import type { Operation, PathItem } from './operation.ts'
import { follow } from './references.ts'

export function withServers(document: Document, servers: readonly Server[]): Document {
  return documentOf({ ...rawOf(document), servers: [...servers] })
}

/** An extension of each operation has another value. Path items that were references are written out: each has its own. */
export function withExtension(
  document: Document,
  name: keyof Extensions,
  replaced: (operation: Operation) => unknown,
): Document {
  const raw = rawOf(document)
  const paths = structuredClone(raw.paths)
  for (const operation of modelOf(document).operations) {
    const { path, method } = operation
    const item = structuredClone(follow(raw, paths[path] as object).node)
    paths[path] = item
    const nodes = Object.entries({ ...item, ...(item as PathItem).additionalOperations })
    const [, node] = nodes.find(([key]) => key.toUpperCase() === method) as [string, object]
    Object.assign(node, { [name]: replaced(operation) })
  }
  return documentOf({ ...raw, paths })
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
