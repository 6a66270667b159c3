// An operation: all that the document says of it, with references resolved and the defaults of OpenAPI filled in.
import type { OpenAPIV3 } from 'openapi-types'
import { type Extensions, extensionsOf, type RawDocument } from './document.ts'
import { type Body, bodyAt, type Response, responseAt } from './media.ts'
import { type Parameter, parametersOf } from './parameter.ts'
import { childOf, follow, type Ref } from './references.ts'
import type { ReadSchema } from './schema.ts'

type Server = OpenAPIV3.ServerObject

export interface Operation {
  /** The operationId, or else a name made of the method and the path. */
  id: string
  /** In upper case. */
  method: string
  /** Asks for no change (RFC 9110, section 9.2.1). */
  isSafe: boolean
  /** The template: `/store/orders/{orderId}`. */
  path: string
  /** Of the parameters in the template, in its order. */
  pathNames: readonly string[]
  pointer: string
  tags: readonly string[]
  summary: string | undefined
  description: string
  externalDocs: OpenAPIV3.ExternalDocumentationObject | undefined
  /** What the document says of the path, with all of its operations. */
  pathText: { summary: string; description: string }
  deprecated: boolean
  /** Each alternative names the schemes that it takes together; undefined if neither the operation nor the document says. */
  security: readonly (readonly string[])[] | undefined
  /** The same, with the scopes of each scheme. */
  scopes: readonly Readonly<Record<string, readonly string[]>>[]
  parameters: readonly Parameter[]
  body: Body | undefined
  responses: readonly Response[]
  extensions: Extensions
  /** Of the operation or its path item, in place of the document's. */
  servers: readonly Server[] | undefined
  /** Requests that the API sends after this one; the path of each is an expression. */
  callbacks: readonly Callback[]
}

interface Callback {
  name: string
  operations: readonly Operation[]
}

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

type Method = (typeof methods)[number]

const safe: ReadonlySet<Method> = new Set(['get', 'options', 'head', 'trace'])

export type PathItem = OpenAPIV3.PathItemObject & { query?: object; additionalOperations?: Record<string, object> }
type WrittenOperation = OpenAPIV3.OperationObject

interface PathItems {
  place: string
  items: Readonly<Record<string, object | undefined>>
  /** The path items whose callbacks these are: one that refers back to them is left out. */
  within?: readonly string[]
}

/** In the order of the document. @param at the path items, unless they are those of the document */
export function operationsIn(
  document: RawDocument,
  schema: ReadSchema,
  at: PathItems = { place: childOf('#', 'paths'), items: document.paths ?? {} },
): Operation[] {
  const { within = [] } = at
  const operations = Object.entries(at.items).flatMap(([path, given]) => {
    if (path.startsWith('x-') || !given) return []
    const { node: item, pointer } = follow<PathItem>(document, given as PathItem | Ref, childOf(at.place, path))
    if (within.includes(pointer)) return []
    const more = Object.keys(item.additionalOperations ?? {})
    return [
      ...Object.keys(item)
        .filter((key) => isMethod(key) || key === 'query')
        .map((key) => [key, item[key as 'get'] as WrittenOperation, childOf(pointer, key)] as const),
      ...more.map((key) => {
        return [
          key,
          item.additionalOperations?.[key] as WrittenOperation,
          childOf(pointer, 'additionalOperations', key),
        ] as const
      }),
    ].map(([method, node, place]) =>
      operationAt(document, schema, { path, item, itemPointer: pointer, method, node, place, within }),
    )
  })
  return withNames(operations)
}

const isMethod = (key: string): key is Method => (methods as readonly string[]).includes(key)

interface OperationSite {
  path: string
  item: PathItem
  itemPointer: string
  method: string
  node: WrittenOperation
  place: string
  within: readonly string[]
}

function operationAt(document: RawDocument, schema: ReadSchema, at: OperationSite): Operation {
  const { path, item, itemPointer, method, node, place, within } = at
  const security = node.security ?? document.security
  return {
    id: node.operationId ?? '',
    method: method.toUpperCase(),
    isSafe: safe.has(method as Method) || method === 'query',
    path,
    pathNames: Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name]) => String(name)),
    pointer: place,
    tags: node.tags ?? [],
    summary: node.summary ?? item.summary,
    description: node.description ?? item.description ?? '',
    externalDocs: node.externalDocs,
    pathText: { summary: item.summary ?? '', description: item.description ?? '' },
    deprecated: node.deprecated ?? false,
    security: security?.map((alternative) => Object.keys(alternative)),
    scopes: security ?? [],
    parameters: parametersOf(document, schema, [
      [item.parameters ?? [], childOf(itemPointer, 'parameters')],
      [node.parameters ?? [], childOf(place, 'parameters')],
    ]),
    body: node.requestBody && bodyAt(document, schema, node.requestBody, childOf(place, 'requestBody')),
    responses: Object.entries(node.responses ?? {})
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, value]) => responseAt(document, schema, status, value, childOf(place, 'responses', status)))
      .map((response) => (method === 'head' ? { ...response, name: undefined, media: [] } : response)), // RFC 9110, 9.3.2
    extensions: extensionsOf(node),
    servers: node.servers ?? item.servers,
    callbacks: Object.entries(node.callbacks ?? {}).map(([name, given]) => {
      const { node: items, pointer } = follow<object>(document, given, childOf(place, 'callbacks', name))
      const inner = { place: pointer, items: { ...items }, within: [...within, itemPointer] }
      return { name, operations: operationsIn(document, schema, inner) }
    }),
  }
}

/** An operation without an operationId gets a name of its own. */
function withNames(operations: readonly Operation[]): Operation[] {
  const taken = new Set(operations.map(({ id }) => id))
  return operations.map((operation) => {
    if (operation.id !== '') return operation
    const { method, path } = operation
    const name = nameOf(method.toLowerCase(), path)
    let id = name
    for (let count = 2; taken.has(id); count++) id = `${name}${count}`
    taken.add(id)
    return { ...operation, id }
  })
}

/** `getUserByName` of `GET /user/{name}`. */
function nameOf(method: string, path: string): string {
  const words = path.replaceAll('{', ' by ').split(/[^\da-z]+/i)
  return [method, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
