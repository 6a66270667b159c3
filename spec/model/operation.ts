// An operation: all that the document says of it, with references resolved and the defaults of OpenAPI filled in.
import type { OpenAPIV3 } from 'openapi-types'
import type { Document, Extensions } from './document.ts'
import { childOf, follow, type Ref } from './references.ts'
import type { ReadSchema, Schema } from './schema.ts'

export interface Operation extends Extensions {
  /** The operationId; empty if there is none. */
  id: string
  /** In upper case. */
  method: string
  /** The template: `/store/orders/{orderId}`. */
  path: string
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
  /** What the server does not start with. */
  hasCallbacks: boolean
  hasServers: boolean
}

export interface Parameter extends Exampled {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  description: string
  required: boolean
  deprecated: boolean
  style: string
  explode: boolean
  allowReserved: boolean
  allowEmptyValue: boolean
  /** Undefined if the parameter has `content` instead. */
  schema: Schema | undefined
}

export interface Body {
  description: string
  required: boolean
  media: readonly Media[]
}

/** A body of one media type. */
export interface Media extends Exampled {
  /** As the document writes it: `application/json`. */
  type: string
  /** Undefined if any value is allowed. */
  schema: Schema | undefined
  hasEncoding: boolean
}

export interface Response {
  /** `404`. */
  status: string
  description: string
  headers: readonly Header[]
  media: readonly Media[]
}

export type Header = Omit<Parameter, 'in' | 'allowReserved' | 'allowEmptyValue'>

export interface Exampled {
  examples: readonly Example[]
}

export interface Example {
  /** `example` for the only one, which has no name of its own. */
  name: string
  summary: string | undefined
  value: unknown
  /** The parameters and the body of a request that gets this response. */
  'x-request'?: object | undefined
}

const defaultStyle = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** In the order of the document. */
export function operationsIn(document: Document, schema: ReadSchema): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {})
      .filter(([method]) => (methods as readonly string[]).includes(method))
      .map(([method]) => operationAt(document, schema, path, method as (typeof methods)[number])),
  )
}

function operationAt(
  document: Document,
  schema: ReadSchema,
  path: string,
  method: (typeof methods)[number],
): Operation {
  const item = document.paths[path] as OpenAPIV3.PathItemObject
  const given = item[method] as OpenAPIV3.OperationObject<Extensions>
  const itemPointer = childOf('#', 'paths', path)
  const pointer = childOf(itemPointer, method)
  const extensions = Object.entries(given).filter(([key]) => key.startsWith('x-'))
  const body = given.requestBody && follow(document, given.requestBody, childOf(pointer, 'requestBody'))
  const security = given.security ?? (document.security?.length ? document.security : undefined)
  return {
    ...(Object.fromEntries(extensions) as Extensions),
    id: given.operationId ?? '',
    method: method.toUpperCase(),
    path,
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
    body: body && {
      description: body.node.description ?? '',
      required: body.node.required ?? false,
      media: mediaOf(document, schema, body.node.content, childOf(body.pointer, 'content')),
    },
    responses: Object.entries(given.responses).map(([status, node]) =>
      responseOf(document, schema, status, node, childOf(pointer, 'responses', status)),
    ),
    hasCallbacks: given.callbacks !== undefined,
    hasServers: given.servers !== undefined,
  }
}

/** One of the operation's own overrides one with the same name and place in its path item. */
function parametersOf(
  document: Document,
  schema: ReadSchema,
  lists: readonly [nodes: readonly (OpenAPIV3.ParameterObject | Ref)[], pointer: string][],
): Parameter[] {
  const byName = new Map<string, Parameter>()
  for (const [nodes, place] of lists) {
    for (const [at, given] of nodes.entries()) {
      const { node, pointer } = follow(document, given, childOf(place, at))
      const where = node.in as Parameter['in']
      const { style = defaultStyle[where], allowReserved = false, allowEmptyValue = false } = node
      const described = describedBy(document, schema, node.name, { ...node, style }, pointer)
      byName.set(`${where} ${node.name}`, { ...described, in: where, allowReserved, allowEmptyValue })
    }
  }
  return [...byName.values()]
}

/** What parameters and headers have in common. */
function describedBy(
  document: Document,
  schema: ReadSchema,
  name: string,
  node: OpenAPIV3.HeaderObject,
  pointer: string,
): Header {
  const { description = '', required = false, deprecated = false, style = 'simple', explode = style === 'form' } = node
  return {
    name,
    description,
    required,
    deprecated,
    style,
    explode,
    schema: node.schema && schema(node.schema, childOf(pointer, 'schema')),
    examples: examplesOf(document, node, pointer),
  }
}

function responseOf(
  document: Document,
  schema: ReadSchema,
  status: string,
  given: OpenAPIV3.ResponseObject | Ref,
  place: string,
): Response {
  const { node, pointer } = follow(document, given, place)
  return {
    status,
    description: node.description,
    headers: Object.entries(node.headers ?? {}).map(([name, header]) => {
      const found = follow(document, header, childOf(pointer, 'headers', name))
      return describedBy(document, schema, name, found.node, found.pointer)
    }),
    media: mediaOf(document, schema, node.content ?? {}, childOf(pointer, 'content')),
  }
}

function mediaOf(
  document: Document,
  schema: ReadSchema,
  content: Readonly<Record<string, OpenAPIV3.MediaTypeObject>>,
  pointer: string,
): Media[] {
  return Object.entries(content).map(([type, node]) => ({
    type,
    schema: node.schema && schema(node.schema, childOf(pointer, type, 'schema')),
    hasEncoding: node.encoding !== undefined,
    examples: examplesOf(document, node, childOf(pointer, type)),
  }))
}

function examplesOf(
  document: Document,
  { example, examples = {} }: Pick<OpenAPIV3.MediaTypeObject, 'example' | 'examples'>,
  pointer: string,
): Example[] {
  if (example !== undefined) return [{ name: 'example', summary: undefined, value: example }]
  return Object.entries(examples).map(([name, given]) => {
    const { node } = follow(document, given, childOf(pointer, 'examples', name))
    return { name, ...node, summary: node.summary, value: node.value }
  })
}
