// The document for Swagger UI's page, so that it agrees with the reference: Swagger UI would fill in the identifier of a
// request that changes something, round the digits of examples, and offer to send what no server receives.

import { documentOf, follow, modelOf, type RawDocument } from 'exact-openapi/model'
import { parse, stringify } from 'lossless-json'
import type { OpenAPIV3 } from 'openapi-types'
import { lead, unwrapped } from './reference/texts.ts'

type Parameter = OpenAPIV3.ParameterObject
type Operation = OpenAPIV3.OperationObject & { 'x-explorer-enabled'?: boolean }

interface Media {
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}

/** @param text the document as JSON */
export function swaggerJson(text: string, isApiKnown: boolean): string {
  const document = parse(text) as RawDocument
  for (const { id, method, path } of modelOf(documentOf(document)).operations) {
    const item = document.paths[path] as OpenAPIV3.PathItemObject
    const operation = item[method.toLowerCase() as OpenAPIV3.HttpMethods] as Operation
    operation.operationId = id
    if (!isApiKnown) operation['x-explorer-enabled'] = false
    if (method === 'GET') continue
    const { parameters: common = [] } = item
    // One of the operation's own overrides one of the path, so it comes last.
    const all = [...common, ...(operation.parameters ?? [])].map(
      (parameter) => follow(document, parameter as Parameter).node,
    )
    const byName = new Map(
      all.map((parameterObject) => [
        `${parameterObject.in} ${parameterObject.name}`,
        withoutEntry(document, parameterObject),
      ]),
    )
    operation.parameters = [...byName.values()]
  }
  const { info } = document as unknown as { info: { description?: string } }
  const guide = info.description ?? ''
  if (guide !== '') info.description = `${lead(guide)}\n\n[The guide, and this reference with samples](#introduction)`
  describe(document)
  for (const media of mediaIn(document)) {
    if ('example' in media) media.example = withDigits(media.example)
    for (const example of Object.values(media.examples ?? {}))
      if ('value' in example) example.value = withDigits(example.value)
  }
  return String(stringify(document))
}

/**
 * Its Markdown takes any number and a dot at the beginning of a line for a list: paragraphs are handed over as one line.
 * Links within the reference lead there.
 */
function describe(node: unknown) {
  if (typeof node !== 'object' || node === null) return
  for (const [key, child] of Object.entries(node)) {
    if (key === 'description' && typeof child === 'string') Object.assign(node, { description: onLines(child) })
    else if (!/^(examples?|default|enum|x-.*)$/.test(key)) describe(child)
  }
}

const onLines = (text: string) => unwrapped(text).replaceAll('](#', '](../#')

/** Its example is part of the description. */
function withoutEntry(document: RawDocument, parameter: Parameter): Parameter {
  const { example, examples = {}, schema: written, ...others } = parameter
  const { example: ofSchema, default: _, ...schema } = follow(document, written as OpenAPIV3.SchemaObject).node
  const [value = ofSchema] = [
    example,
    ...Object.values(examples).map((named) => (named as { value?: unknown }).value),
  ].filter((value) => value !== undefined)
  const description = [others.description, value !== undefined && `Example: \`${stringify(value)}\``]
  return { ...others, description: description.filter(Boolean).join('\n\n'), schema }
}

/** As text, if a double would change it. */
function withDigits(value: unknown): unknown {
  const text = String(stringify(value, null, 2))
  return JSON.stringify(JSON.parse(text), null, 2) === text ? value : text
}

/** Every media type with its examples, of parameters, bodies and responses. */
function mediaIn(node: unknown): Media[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, child]) => {
    if (/^(schemas?|examples?|x-.*)$/.test(key)) return []
    if (key !== 'content') return mediaIn(child)
    return Object.values(Object(child)).filter((value): value is Media => typeof value === 'object' && value !== null)
  })
}
