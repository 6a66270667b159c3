// Copies of a document that differ from it in one respect.
import { isLosslessNumber } from 'lossless-json'
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
  const paths = { ...raw.paths }
  for (const operation of modelOf(document).operations) {
    const { path, method } = operation
    const item: PathItem = { ...follow(raw, paths[path] as object).node }
    paths[path] = item
    const isOther = !Object.keys(item).some((key) => key.toUpperCase() === method)
    const nodes = (isOther ? { ...item.additionalOperations } : item) as Record<string, object>
    const key = String(Object.keys(nodes).find((text) => text.toUpperCase() === method))
    nodes[key] = { ...nodes[key], [name]: replaced(operation) }
    if (isOther) Object.assign(item, { additionalOperations: nodes })
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
  const plain = (key: string, value: unknown) => {
    if (key === '$id') return undefined
    return typeof value === 'bigint' || isLosslessNumber(value) ? Number(String(value)) : replaced(key, value)
  }
  return JSON.parse(JSON.stringify(document, plain))
}
