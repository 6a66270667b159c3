// The document itself, as it is written. Read its model instead: index.ts.
import type { OpenAPIV3 } from 'openapi-types'

/** The extensions that this service implements. Dates are ISO 8601, `2027-12-31`. */
export interface Extensions {
  'x-explorer-enabled'?: boolean
  'x-stability'?: 'experimental' | 'beta'
  'x-deprecated-since'?: string
  'x-sunset'?: string
  /** Shown beside the operation. Addresses begin with `exampleServer`. */
  'x-codeSamples'?: readonly { lang: string; label: string; source: string }[]
}
export type Document = OpenAPIV3.Document<Extensions>
export type Operation = OpenAPIV3.OperationObject<Extensions>
export type Parameter = OpenAPIV3.ParameterObject
export type Response = OpenAPIV3.ResponseObject
export type Schema = OpenAPIV3.SchemaObject & { 'x-extensible-enum'?: readonly string[] }

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Every operation of the document, with its method in upper case. */
export function operationsOf({ paths }: Document): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {})
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
  )
}

/** What a node refers to, or the node itself. */
export function resolve<Kind extends object>(node: Kind | { $ref: string } | undefined, document: Document): Kind {
  if (node === undefined || !('$ref' in node)) return (node ?? {}) as Kind
  const target = pointerKeys(node.$ref).reduce((one: unknown, key) => (one as Record<string, unknown>)[key], document)
  return resolve(target as Kind | { $ref: string }, document)
}

/** The keys of a JSON pointer (RFC 6901), `/paths/~1pets` or `#/paths/~1pets`. */
function pointerKeys(pointer: string): string[] {
  const [, ...keys] = pointer.split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
