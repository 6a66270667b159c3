// Reads parameters in their style: first the texts, then values of their types.
import type { FastifyRequest } from 'fastify'
import { isJson } from '../../media-types.ts'
import { anything, inputParts, type Operation, type Parameter, type Schema } from '../../model/index.ts'
import type { Compile } from '../checks/compiler.ts'
import { parseExact } from '../json.ts'
import { routerName } from '../routes.ts'
import { objectReader, oneOf, type Read, severalReader, valueReader } from './objects.ts'
import { splitterOf } from './styles.ts'
import { cookiesIn, decoded, decodedIfPossible, queryIn, segmentsIn, spaced, type Texts } from './texts.ts'
import { isOneOrSeveral, itemsOf, typeOf } from './types.ts'

interface PartReader {
  key: (typeof inputParts)[Parameter['in']]
  schema: Schema
  read(request: FastifyRequest): Record<string, unknown>
}

/** Reads all parameters of one place. */
export function partReader(
  location: Parameter['in'],
  { path: template, pointer, parameters: all }: Operation,
  compile: Compile,
): PartReader | undefined {
  const parameters = all.filter((parameter) => parameter.in === location)
  if (parameters.length === 0) return undefined
  const textsOf = sourceOf(location, parameters, template)
  const fields = parameters.map((parameter) => {
    const others = parameters.filter((other) => other !== parameter)
    const read = readerOf(parameter, template, `${inputParts[location]} ${parameter.name}`, compile, others)
    // OpenAPI 3.1, "Parameter Object": an empty text stands for a parameter that is left out.
    const isUnused = (texts: Texts) => parameter.allowEmptyValue && !parameter.required && texts[parameter.name] === ''
    return [parameter.name, (texts: Texts) => (isUnused(texts) ? undefined : read(texts))] as const
  })
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  const properties = Object.fromEntries(parameters.map(({ name, schema = anything }) => [name, schema]))
  const read = (request: FastifyRequest) => {
    const texts = textsOf(request)
    const values: Record<string, unknown> = {}
    for (const [name, read] of fields) {
      const value = read(texts)
      if (value !== undefined) values[name] = value
    }
    return values
  }
  return {
    key: inputParts[location],
    schema: { pointer: `${pointer} ${location}`, type: 'object', properties, required },
    read,
  }
}

/** What a parameter is called where its text stands. */
function sourceName({ name, in: location }: Parameter, template: string): string {
  if (location === 'header') return name.toLowerCase()
  return location === 'path' ? routerName(template, name) : name
}

/** The router has decoded the path, so what is split is read from its own segment. */
function sourceOf(location: Parameter['in'], parameters: readonly Parameter[], template: string) {
  if (location === 'query') return queryIn
  if (location === 'cookie') return cookiesIn
  if (location === 'header') return ({ headers }: FastifyRequest): Texts => headers
  const split = parameters.filter(isSplit).map(({ name }) => `{${name}}`)
  const segments = template.split('/').reverse()
  const places = segments.flatMap((segment, at) =>
    split.includes(segment) ? [[at, routerName(template, segment.slice(1, -1))] as const] : [],
  )
  if (places.length === 0) return ({ params }: FastifyRequest) => params as Texts
  const names = new Map(places)
  return (request: FastifyRequest): Texts => ({ ...(request.params as Texts), ...segmentsIn(request, names) })
}

/** Whether the text has more than a value. */
export const isSplit = ({ schema, style }: Parameter) =>
  /^(array|object)$/.test(String(typeOf(schema))) || /^(label|matrix)$/.test(style)

/** @param label what errors call it @param others those of the same place */
export function readerOf(
  parameter: Parameter,
  template: string,
  label: string,
  compile: Compile,
  others: readonly Parameter[] = [],
): Read {
  const { in: location, schema = anything, explode, style, type: mediaType } = parameter
  const source = sourceName(parameter, template)
  const decode = decoderOf(parameter, label)
  if (mediaType !== undefined) {
    const read = isJson(mediaType) ? parseExact : (text: string) => text
    return (texts) => oneOf(texts[source], (text) => read(decode(text)))
  }
  const type = typeOf(schema)
  if (type === 'object') return objectReader(parameter, source, decode, compile, others)
  if (isOneOrSeveral(schema)) {
    const read = severalReader(schema, compile)
    return (texts) => {
      const text = texts[source]
      return text === undefined ? undefined : read(typeof text === 'string' ? decode(text) : text.map(decode))
    }
  }
  const split = splitterOf(parameter)
  if (type !== 'array') {
    const read = valueReader(schema, compile)
    if (isSplit(parameter)) return (texts) => oneOf(texts[source], (text) => read(decode(split(text).join(','))))
    const decodeOnce = location === 'path' ? (text: string) => text : decode // the router has decoded the path
    return (texts) => oneOf(texts[source], (text) => read(decodeOnce(text)))
  }
  const readItem = valueReader(itemsOf(schema), compile)
  const item = (text: string) => readItem(decode(text))
  if (location === 'query' && explode && style !== 'deepObject') {
    return (texts) => (texts[source] === undefined ? undefined : [texts[source]].flat().map(item))
  }
  return (texts) => oneOf(texts[source], (text) => split(text).map(item))
}

function decoderOf({ in: location }: Parameter, label: string): (text: string) => string {
  if (location === 'header') return (text) => text.trim()
  if (location === 'cookie') return decodedIfPossible // it may be another application's
  return (text) => decoded(location === 'query' ? spaced(text) : text, label)
}
