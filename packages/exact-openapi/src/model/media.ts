// Bodies of requests and responses, by media type.
import type { OpenAPIV3 } from 'openapi-types'
import type { RawDocument } from './document.ts'
import { type Exampled, examplesOf } from './example.ts'
import { type Header, headerAt } from './parameter.ts'
import { childOf, componentName, follow, type Ref } from './references.ts'
import type { ReadSchema, Schema } from './schema.ts'

export interface Body {
  description: string
  required: boolean
  media: readonly Media[]
}

export interface Response {
  /** `404`. */
  status: string
  /** The name of a component. */
  name: string | undefined
  description: string
  headers: readonly Header[]
  media: readonly Media[]
  links: readonly Link[]
}

/** A request for which the response has values. */
export type Link = OpenAPIV3.LinkObject & { name: string }

/** A body of one media type. */
export interface Media extends Exampled {
  /** As the document writes it: `application/json`. */
  type: string
  /** Undefined if any value is allowed. */
  schema: Schema | undefined
}

export function bodyAt(
  document: RawDocument,
  schema: ReadSchema,
  given: OpenAPIV3.RequestBodyObject | Ref,
  place: string,
): Body {
  const { node, pointer } = follow(document, given, place)
  return {
    description: node.description ?? '',
    required: node.required ?? false,
    media: mediaOf(document, schema, node.content, childOf(pointer, 'content')),
  }
}

export function responseAt(
  document: RawDocument,
  schema: ReadSchema,
  status: string,
  given: OpenAPIV3.ResponseObject | Ref,
  place: string,
): Response {
  const { node, pointer } = follow(document, given, place)
  return {
    status,
    name: componentName(pointer, 'responses'),
    description: [(node as { summary?: string }).summary, node.description].filter(Boolean).join('\n\n'),
    headers: Object.entries(node.headers ?? {}).map(([name, header]) => {
      const found = follow(document, header, childOf(pointer, 'headers', name))
      return headerAt(document, schema, name, found.node, found.pointer)
    }),
    media: mediaOf(document, schema, node.content ?? {}, childOf(pointer, 'content')),
    links: Object.entries(node.links ?? {}).map(([name, link]) => ({
      name,
      ...follow(document, link, childOf(pointer, 'links', name)).node,
    })),
  }
}

function mediaOf(
  document: RawDocument,
  schema: ReadSchema,
  content: Readonly<Record<string, OpenAPIV3.MediaTypeObject>>,
  pointer: string,
): Media[] {
  return Object.entries(content).map(([type, node]) => ({
    type,
    schema: node.schema === undefined ? undefined : schema(node.schema, childOf(pointer, type, 'schema')),
    examples: examplesOf(document, node, childOf(pointer, type)),
  }))
}
