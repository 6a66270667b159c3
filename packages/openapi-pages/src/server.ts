// Stand in samples and in the texts of a document for addresses that each page has from its request.
import type { Document } from 'exact-openapi'
import { documentOf, type RawDocument } from 'exact-openapi/model'
import { isLosslessNumber } from 'lossless-json'

/** For the base URL of the API. */
export const exampleServer = 'http://server.invalid'

/** The same in the code of a page, where it may break. */
export const brokenServer = 'http://broken.invalid'

/** For the origin of the server that serves the page, with the path below which a proxy does. */
export const exampleOrigin = 'http://origin.invalid'

/** The same with the prefix of the plugin. */
export const exampleRoot = 'http://root.invalid'

/** The document with a placeholder where its texts and examples have `server`. Parts without it stay the same objects. */
export function withExampleServer(document: Document, server: string): Document {
  const replaced = (node: unknown): unknown => {
    if (typeof node === 'string') return node.replaceAll(server, exampleServer)
    if (typeof node !== 'object' || node === null || isLosslessNumber(node)) return node
    const entries = Object.entries(node)
    const others = entries.map(([key, value]) => [key, replaced(value)] as const)
    if (others.every(([, value], at) => value === entries[at]?.[1])) return node
    return Array.isArray(node) ? others.map(([, value]) => value) : Object.fromEntries(others)
  }
  return documentOf(replaced(document) as RawDocument)
}
