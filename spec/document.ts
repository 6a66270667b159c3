// Reads the OpenAPI documents. Every caller gets the same frozen object.
import { readFileSync } from 'node:fs'
import type { OpenAPIV3 } from 'openapi-types'
import { parse } from 'yaml'

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
export type Header = OpenAPIV3.HeaderObject
export type Response = OpenAPIV3.ResponseObject
export type Schema = OpenAPIV3.SchemaObject & { 'x-extensible-enum'?: readonly string[] }

/** The base URL in the document's examples. */
export const exampleServer = 'http://127.0.0.1:3000/v1'

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** Public addresses of the API: absolute URLs that end in `/v1`. */
export interface Servers {
  production?: string | undefined
  staging?: string | undefined
}

const fileOf = (name: string) => new URL(import.meta.resolve(`#spec/${name}`))

const documents = new Map<string, Document>()

/** @throws when the file cannot be read or is not YAML */
export function loadDocument(file: URL = fileOf('openapi.yaml')): Document {
  const document = documents.get(file.href) ?? read(file)
  documents.set(file.href, document)
  return document
}

/** What has changed between the versions of the public document, in Markdown. */
export function loadChangelog(): string {
  return readFileSync(fileOf('CHANGELOG.md'), 'utf8')
}

function read(file: URL): Document {
  const text = readFileSync(file, 'utf8')
  try {
    return freeze(parse(text) ?? {})
  } catch (error) {
    const [finding] = (error as Error).message.split('\n')
    throw new Error(`${file.pathname} is not YAML: ${finding}`, { cause: error })
  }
}

/** Every operation of the document, with its method in upper case. */
export function operationsOf({ paths }: Document): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {})
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
  )
}

/** All parameters of an operation. One of its own overrides one with the same name and place in its path item. */
export function parametersOf(document: Document, path: string, { parameters = [] }: Operation): Parameter[] {
  const byName = new Map<string, Parameter>()
  for (const one of [...(document.paths[path]?.parameters ?? []), ...parameters]) {
    const parameter = resolve<Parameter>(one, document)
    byName.set(`${parameter.in} ${parameter.name}`, parameter)
  }
  return [...byName.values()]
}

/** What a node refers to, or the node itself. */
export function resolve<Kind extends object>(node: Kind | { $ref: string } | undefined, document: Document): Kind {
  if (node === undefined || !('$ref' in node)) return (node ?? {}) as Kind
  const target = pointerKeys(node.$ref).reduce((one: unknown, key) => (one as Record<string, unknown>)[key], document)
  return resolve(target as Kind | { $ref: string }, document)
}

/** The keys of a JSON pointer (RFC 6901), `/paths/~1pets` or `#/paths/~1pets`. */
export function pointerKeys(pointer: string): string[] {
  const [, ...keys] = pointer.split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The document with the public addresses instead of its own relative one. */
export function withServers(document: Document, { production, staging }: Servers): Document {
  const servers = [
    production ? { url: production, description: 'Production' } : document.servers?.[0],
    staging && { url: staging, description: 'Staging' },
  ]
  return freeze({ ...document, servers: servers.filter((server) => server !== undefined && server !== '') })
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(freeze)
    Object.freeze(value)
  }
  return value
}
