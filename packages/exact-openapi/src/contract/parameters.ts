// Reads parameters, and the fields of forms, in their style: first the texts, then values of their types.
import type { FastifyRequest } from 'fastify'
import { inputParts, type Parameter, type Schema } from '../model/index.ts'
import { parseExact, parseNumber } from './json.ts'
import { routerName } from './routes.ts'
import { cookiesIn, decoded, decodedIfPossible, queryIn, segmentsIn, type Texts } from './texts.ts'

interface PartReader {
  key: (typeof inputParts)[Parameter['in']]
  schema: Schema
  read(request: FastifyRequest): Record<string, unknown>
}

/** Reads all parameters of one place. `template` is the path of the operation. */
export function partReader(
  place: Parameter['in'],
  parameters: readonly Parameter[],
  template: string,
): PartReader | undefined {
  if (parameters.length === 0) return undefined
  const textsOf = sourceOf(place, parameters, template)
  const fields = parameters.map((parameter) => {
    return { name: parameter.name, source: sourceName(parameter, template), read: textReader(parameter) }
  })
  const required = parameters.filter((one) => one.required).map(({ name }) => name)
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema as Schema]))
  const read = (request: FastifyRequest) => {
    const texts = textsOf(request)
    const values: Record<string, unknown> = {}
    for (const { name, source, read } of fields) {
      const text = texts[source]
      if (text !== undefined) values[name] = read(text)
    }
    return values
  }
  return {
    key: inputParts[place],
    schema: { pointer: `${place} of ${template}`, type: 'object', properties, required },
    read,
  }
}

/** What a parameter is called where its text stands. */
function sourceName({ name, in: place }: Parameter, template: string): string {
  if (place === 'header') return name.toLowerCase()
  return place === 'path' ? routerName(template, name) : name
}

/** The router has decoded the path, so an array is read from its own segment. */
function sourceOf(place: Parameter['in'], parameters: readonly Parameter[], template: string) {
  if (place === 'query') return queryIn
  if (place === 'cookie') return cookiesIn
  if (place === 'header') return ({ headers }: FastifyRequest): Texts => headers
  const arrays = parameters.filter(({ schema }) => typeOf(schema) === 'array').map(({ name }) => `{${name}}`)
  const segments = template.split('/').reverse()
  const places = segments.flatMap((segment, at) =>
    arrays.includes(segment) ? [[at, routerName(template, segment.slice(1, -1))] as const] : [],
  )
  if (places.length === 0) return ({ params }: FastifyRequest) => params as Texts
  const names = new Map(places)
  return (request: FastifyRequest): Texts => ({ ...(request.params as Texts), ...segmentsIn(request, names) })
}

/** The type of a schema, or that of all its parts. */
export function typeOf(schema: Schema | undefined): Schema['type'] {
  if (!schema || schema.type) return schema?.type
  const [type, ...others] = new Set(
    [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map(typeOf),
  )
  return others.length === 0 ? type : undefined
}

type Read = (text: string | string[]) => unknown

/** `text` is a text as it was sent, or all of them. An array is split before its items are decoded (RFC 6570). */
function textReader({ name, in: place, schema, explode, style }: Parameter): Read {
  const decode = decoderOf(place, `${inputParts[place]} ${name}`)
  const type = typeOf(schema)
  if (type !== 'array') {
    const read = readerOf(type)
    const one = place === 'path' ? read : (text: string) => read(decode(text)) // the router has decoded the path
    return (text) => (typeof text === 'string' ? one(text) : text)
  }
  const readItem = readerOf(typeOf(schema?.items))
  const item = (text: string) => readItem(decode(text))
  if (style === 'form' && explode) return (text) => [text].flat().map(item)
  return (text) => (typeof text === 'string' ? text.split(',').map(item) : [text])
}

function decoderOf(place: Parameter['in'], label: string): (text: string) => string {
  if (place === 'header') return (text) => text.trim()
  if (place === 'cookie') return decodedIfPossible // it may be another application's
  return (text) => decoded(place === 'query' ? text.replaceAll('+', ' ') : text, label)
}

/** A field of a form, whose texts are decoded: an array has a text for each item, and an object is JSON. */
export function fieldReader(schema: Schema): Read {
  const type = typeOf(schema)
  const read = readerOf(type === 'array' ? typeOf(schema.items) : type)
  if (type === 'array') return (text) => [text].flat().map(read)
  return (text) => (typeof text === 'string' ? read(text) : text)
}

/** Reads a single value. Text that is not of the type stays text, for the schema to reject. */
function readerOf(type: Schema['type']): (text: string) => unknown {
  if (type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text)
  if (type === 'integer')
    return (text) => (/^-?(0|[1-9]\d{0,18})$/.test(text) && text !== '-0' ? parseNumber(text) : text)
  if (type === 'number')
    return (text) => (/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? parseNumber(text) : text)
  if (type === 'object') return parseExact
  return (text) => text
}
