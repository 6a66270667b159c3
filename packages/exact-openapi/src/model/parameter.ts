// Parameters of requests, and headers of responses, which are alike.
import type { OpenAPIV3 } from 'openapi-types'
import type { RawDocument } from './document.ts'
import { type Exampled, examplesOf } from './example.ts'
import { childOf, describedBy, describePointer, type Ref } from './references.ts'
import type { ReadSchema, Schema } from './schema.ts'

export interface Parameter extends Exampled {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  description: string
  required: boolean
  deprecated: boolean
  style: string
  explode: boolean
  allowEmptyValue: boolean
  /** The whole query string: every text of it is a property. */
  isWhole?: boolean
  schema: Schema | undefined
  /** The media type of a text that is read as a whole, such as `application/json`. */
  type: string | undefined
}

export type Header = Omit<Parameter, 'in' | 'allowEmptyValue' | 'isWhole'>

/** By place, what OpenAPI assumes. */
const defaultStyle = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const
/** By place, where the values stand in the input of a handler. */
export const inputParts = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const
/** OpenAPI ignores header parameters of these names: media types and `security` describe them. */
const ignoredHeaders = /^(accept|content-type|authorization)$/i

/**
 * One of the operation's own overrides one with the same name and place in its path item. The whole query string of OpenAPI
 * 3.2, which is a form, is read as one object of the query.
 */
export function parametersOf(
  document: RawDocument,
  schema: ReadSchema,
  lists: readonly [nodes: readonly (OpenAPIV3.ParameterObject | Ref)[], pointer: string][],
): Parameter[] {
  const byName = new Map<string, Parameter>()
  for (const [nodes, place] of lists) {
    const names = new Set<string>()
    for (const [at, given] of nodes.entries()) {
      const { node, pointer } = describedBy(document, given, childOf(place, at))
      const isWhole = node.in === 'querystring'
      const where = isWhole ? 'query' : (node.in as Parameter['in'])
      if (where === 'header' && ignoredHeaders.test(node.name)) continue
      const key = `${where} ${where === 'header' ? node.name.toLowerCase() : node.name}`
      if (names.has(key)) throw new Error(`${describePointer(document, place)}: ${key} is described twice`)
      names.add(key)
      const { style = defaultStyle[where], allowEmptyValue = false } = node
      const described = headerAt(document, schema, node.name, { ...node, style }, pointer)
      byName.set(key, { ...described, ...(isWhole && { type: undefined, isWhole }), in: where, allowEmptyValue })
    }
  }
  return [...byName.values()]
}

/** A header, or what a parameter has in common with one. */
export function headerAt(
  document: RawDocument,
  schema: ReadSchema,
  name: string,
  node: OpenAPIV3.HeaderObject,
  pointer: string,
): Header {
  const { description = '', required = false, deprecated = false, style = 'simple', explode = style === 'form' } = node
  const [[type, media] = []] = Object.entries(node.content ?? {})
  const [given, place] = media ? [media.schema, ['content', String(type), 'schema']] : [node.schema, ['schema']]
  return {
    name,
    description,
    required,
    deprecated,
    style,
    explode,
    schema: given === undefined ? undefined : schema(given, childOf(pointer, ...place)),
    type,
    examples: [
      ...examplesOf(document, node, pointer),
      ...(media ? examplesOf(document, media, childOf(pointer, 'content', String(type))) : []),
    ],
  }
}
