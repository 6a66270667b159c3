// Bodies of requests and responses, by media type.
import type { OpenAPIV3 } from 'openapi-types'
import type { RawDocument } from './document.ts'
import { type Exampled, examplesOf } from './example.ts'
import { type Header, headerAt } from './parameter.ts'
import { childOf, componentName, describedBy, follow, type Ref } from './references.ts'
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
  description: string
  /** Undefined if any value is allowed. */
  schema: Schema | undefined
  /** Of each item of a stream, which `schema` describes as an array. */
  itemSchema: Schema | undefined
  /** How a form or a part has the value of a property. */
  encoding: Readonly<Record<string, Encoding>>
}

/** As the document writes it. */
export type Encoding = Pick<OpenAPIV3.EncodingObject, 'contentType' | 'style' | 'explode' | 'allowReserved'>

export function bodyAt(
  document: RawDocument,
  schema: ReadSchema,
  given: OpenAPIV3.RequestBodyObject | Ref,
  place: string,
): Body {
  const { node, pointer } = describedBy(document, given, place)
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
  const { node, pointer } = describedBy(document, given, place)
  return {
    status,
    name: componentName(pointer, 'responses'),
    description: [(node as { summary?: string }).summary, node.description].filter(Boolean).join('\n\n'),
    headers: Object.entries(node.headers ?? {}).map(([name, header]) => {
      const found = describedBy(document, header, childOf(pointer, 'headers', name))
      return headerAt(document, schema, name, found.node, found.pointer)
    }),
    media: mediaOf(document, schema, node.content ?? {}, childOf(pointer, 'content')),
    links: Object.entries(node.links ?? {}).map(([name, link]) => ({
      name,
      ...describedBy(document, link, childOf(pointer, 'links', name)).node,
    })),
  }
}

type WrittenMedia = OpenAPIV3.MediaTypeObject & { itemSchema?: object; description?: string }

function mediaOf(
  document: RawDocument,
  schema: ReadSchema,
  content: Readonly<Record<string, WrittenMedia | Ref>>,
  place: string,
): Media[] {
  return Object.entries(content).map(([type, given]) => {
    const { node, pointer } = follow<WrittenMedia>(document, given, childOf(place, type))
    const read = (key: 'schema' | 'itemSchema') => {
      const part = node[key] // `false` is one
      return part === undefined ? undefined : schema(part, childOf(pointer, key))
    }
    const whole = read('schema')
    const itemSchema = read('itemSchema')
    const items: Schema | undefined = itemSchema && {
      pointer: childOf(pointer, 'items'),
      type: 'array',
      items: itemSchema,
    }
    return {
      type,
      description: node.description ?? '',
      schema: whole && items ? { ...items, pointer: childOf(pointer, 'all'), allOf: [whole] } : (whole ?? items),
      itemSchema,
      encoding: node.encoding ?? {},
      examples: examplesOf(document, node, pointer),
    }
  })
}
