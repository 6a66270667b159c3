// An operation: all that the document says of it, with references resolved and the defaults of OpenAPI filled in.
import type { OpenAPIV3 } from 'openapi-types'
import { type Extensions, extensionsOf, type RawDocument } from './document.ts'
import { type Body, bodyAt, type Response, responseAt } from './media.ts'
import { type Parameter, parametersOf } from './parameter.ts'
import { childOf } from './references.ts'
import type { ReadSchema } from './schema.ts'

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
  deprecated: boolean
  /** Each alternative names the schemes that it takes together; undefined if neither the operation nor the document says. */
  security: readonly (readonly string[])[] | undefined
  parameters: readonly Parameter[]
  body: Body | undefined
  responses: readonly Response[]
  extensions: Extensions
  /** What the server does not start with. */
  hasCallbacks: boolean
  hasServers: boolean
}

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

type Method = (typeof methods)[number]

const safe: ReadonlySet<Method> = new Set(['get', 'options', 'head', 'trace'])

/** In the order of the document. */
export function operationsIn(document: RawDocument, schema: ReadSchema): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item ?? {})
      .filter((key): key is Method => (methods as readonly string[]).includes(key))
      .map((method) => operationAt(document, schema, path, method)),
  )
}

function operationAt(document: RawDocument, schema: ReadSchema, path: string, method: Method): Operation {
  const item = document.paths[path] as OpenAPIV3.PathItemObject
  const given = item[method] as OpenAPIV3.OperationObject
  const itemPointer = childOf('#', 'paths', path)
  const pointer = childOf(itemPointer, method)
  const security = given.security ?? (document.security?.length ? document.security : undefined)
  return {
    id: given.operationId || nameOf(method, path),
    method: method.toUpperCase(),
    isSafe: safe.has(method),
    path,
    pathNames: Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name]) => String(name)),
    pointer,
    tags: given.tags ?? [],
    summary: given.summary,
    description: given.description ?? '',
    deprecated: given.deprecated ?? false,
    security: security?.map((alternative) => Object.keys(alternative)),
    parameters: parametersOf(document, schema, [
      [item.parameters ?? [], childOf(itemPointer, 'parameters')],
      [given.parameters ?? [], childOf(pointer, 'parameters')],
    ]),
    body: given.requestBody && bodyAt(document, schema, given.requestBody, childOf(pointer, 'requestBody')),
    responses: Object.entries(given.responses ?? {})
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, node]) => responseAt(document, schema, status, node, childOf(pointer, 'responses', status))),
    extensions: extensionsOf(given),
    hasCallbacks: given.callbacks !== undefined,
    hasServers: given.servers !== undefined,
  }
}

/** `getUserByName` of `GET /user/{name}`. */
function nameOf(method: Method, path: string): string {
  const words = path.replaceAll('{', ' by ').split(/[^\da-z]+/i)
  return [method, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}
