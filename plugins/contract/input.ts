// Reads a request as the document describes it: path, query, headers, cookies and body.
import type { FastifyRequest } from 'fastify'
import {
  type Document,
  type Operation,
  type Parameter,
  parametersOf,
  resolve,
  type Schema,
} from '../../spec/model/document.ts'
import { MalformedError, parseExact, parseNumber } from './json.ts'
import { type Compile, describe } from './schemas.ts'

/** The first argument of a handler. A part that the operation does not have is absent. */
export type Input = Partial<Record<'path' | 'query' | 'headers' | 'cookies', Record<string, unknown>>> & {
  body?: unknown
}
/** The error of a request that differs from the document. */
export type ErrorOf = (code: 'invalid_request' | 'unsupported_media_type', message: string) => Error
export type Reader = (request: FastifyRequest) => Input

type Check = (value: Input) => string[]
type ErrorsOf = (schema: object) => Check
type Texts = Record<string, string | string[] | undefined>

/** By place: the key in the input, the supported style, and the source of the texts. */
const parts = {
  path: { key: 'path', style: 'simple', textsOf: ({ params }: FastifyRequest) => params as Texts },
  query: { key: 'query', style: 'form', textsOf: ({ query }: FastifyRequest) => query as Texts },
  header: { key: 'headers', style: 'simple', textsOf: ({ headers }: FastifyRequest) => headers as Texts },
  cookie: { key: 'cookies', style: 'form', textsOf: ({ headers }: FastifyRequest) => cookiesIn(headers.cookie) },
} as const
type In = keyof typeof parts

/** OpenAPI ignores header parameters with these names. */
const reserved = new Set(['accept', 'content-type', 'authorization'])

/**
 * @returns undefined if the operation has no input. A reader throws an error that lists all that is wrong.
 * @throws when the operation has a feature that is not supported
 */
export function readerOf(
  document: Document,
  path: string,
  operation: Operation,
  compile: Compile,
  errorOf: ErrorOf,
): Reader | undefined {
  const errorsOf: ErrorsOf = (schema) => {
    const validate = compile(schema)
    return (value) => {
      validate(value)
      return (validate.errors ?? []).map(describe)
    }
  }
  const parameters = parametersOf(document, path, operation)
  requireDescribed(path, parameters)
  const readers = Object.keys(parts)
    .map((name) =>
      partOf(
        document,
        name as In,
        parameters.filter((one) => one.in === name),
      ),
    )
    .filter((part) => part !== undefined)
  const properties = Object.fromEntries(readers.map(({ key, schema }) => [key, schema]))
  const check = errorsOf({ type: 'object', properties })
  const bodyOf = operation.requestBody && bodyReader(document, operation, errorsOf, errorOf)
  if (!bodyOf && readers.length === 0) return undefined

  function inputOf(request: FastifyRequest): Input {
    const input: Input = {}
    for (const { key, read } of readers) input[key] = read(request)
    const errors = [...check(input), ...(bodyOf?.(request, input) ?? [])]
    if (errors.length > 0) throw new MalformedError(`${sentence(errors)}.`)
    return input
  }

  return (request) => {
    try {
      return inputOf(request)
    } catch (error) {
      throw error instanceof MalformedError ? errorOf('invalid_request', error.message) : error
    }
  }
}

/** The first errors: a body may have thousands. */
function sentence(errors: readonly string[]): string {
  const shown = errors.slice(0, 10).join('; ')
  return errors.length > 10 ? `${shown}; and ${errors.length - 10} more` : shown
}

/** @throws naming a parameter of the path that is not described */
function requireDescribed(path: string, parameters: readonly Parameter[]): void {
  const described = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => String(name))
  const missing = named.find((name) => !described.includes(name))
  if (missing) throw new Error(`the parameter path ${missing} is not described`)
}

function partOf(document: Document, name: In, parameters: readonly Parameter[]) {
  if (parameters.length === 0) return undefined
  const { key, textsOf } = parts[name]
  const fields = parameters.map((parameter) => {
    const read = fieldReader(document, parameter)
    return { name: parameter.name, source: name === 'header' ? parameter.name.toLowerCase() : parameter.name, read }
  })
  const schema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: parameters.filter(({ required }) => required).map((parameter) => parameter.name),
  }
  const read = (request: FastifyRequest) => {
    const texts = textsOf(request)
    const values: Record<string, unknown> = {}
    for (const { name, source, read } of fields) {
      const text = texts[source]
      if (text !== undefined) values[name] = read(text)
    }
    return values
  }
  return { key, schema, read }
}

/** Reads a parameter, or a field of a form. @throws naming the parameter and the feature that is not supported */
function fieldReader(document: Document, parameter: Parameter) {
  const { name, in: place, schema, explode = place === 'query' || place === 'cookie' } = parameter
  const { style } = parts[place as In]
  const fail = (feature: string) => new Error(`${feature} of ${place} ${name} is not supported`)
  if (!schema) throw fail('content')
  if ((parameter.style ?? style) !== style) throw fail(`style ${parameter.style}`)
  if (parameter.allowReserved) throw fail('allowReserved')
  if (parameter.allowEmptyValue) throw fail('allowEmptyValue')
  if (place === 'header' && reserved.has(name.toLowerCase())) throw fail('the reserved name')
  const known = resolve<Schema & { items?: Schema }>(schema, document)
  const { type } = known
  const read = decoderOf(type === 'array' ? resolve<Schema>(known.items, document) : known)
  if (!read) throw fail(type === 'array' ? 'the type of the items' : `the type ${type ?? 'that the schema lacks'}`)
  const isExploded = style === 'form' && explode
  if (type !== 'array') return (text: string | string[]) => (typeof text === 'string' ? read(text) : text)
  if (isExploded && place === 'cookie') throw fail('explode')
  return (text: string | string[]) => {
    if (isExploded) return [text].flat().map(read)
    return typeof text === 'string' ? text.split(',').map((item) => read(item.trim())) : [text]
  }
}

/** Reads a single value. Text that is not of the type stays text, for the schema to reject. */
function decoderOf({ type }: Schema): ((text: string) => unknown) | undefined {
  if (type === 'string') return (text) => text
  if (type === 'boolean') return (text) => (text === 'true' ? true : text === 'false' ? false : text)
  if (type === 'integer')
    return (text) => (/^-?(0|[1-9]\d{0,18})$/.test(text) && text !== '-0' ? parseNumber(text) : text)
  if (type === 'number')
    return (text) => (/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? parseNumber(text) : text)
  return undefined
}

/** If several cookies share a name, the first one wins. */
function cookiesIn(header = ''): Texts {
  const cookies: Texts = {}
  for (const pair of header.split(';')) {
    const [, name, value] = /^\s*([^=\s]+)="?(.*?)"?\s*$/.exec(pair) ?? []
    if (name !== undefined && !Object.hasOwn(cookies, name)) cookies[name] = decoded(String(value))
  }
  return cookies
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface Media {
  type: string
  read(bytes: Buffer): unknown
  check: Check
}

/** Adds the body to the input. @returns its errors */
function bodyReader(document: Document, { requestBody }: Operation, errorsOf: ErrorsOf, errorOf: ErrorOf) {
  const { content, required } = resolve(requestBody, document)
  const all = Object.entries(content).map(([type, { schema = {}, encoding }]): Media => {
    if (encoding) throw new Error(`encoding of ${type} is not supported`)
    const name = type.split(';', 1)[0]?.toLowerCase() as string
    const { read, isChecked } = mediaOf(document, name, schema as Schema)
    return { type: name, read, check: errorsOf({ type: 'object', properties: isChecked ? { body: schema } : {} }) }
  })
  const types = all.map(({ type }) => type)

  return ({ content }: FastifyRequest, input: Input): string[] => {
    const [type, ...options] = (content?.type ?? String(types[0])).toLowerCase().split(/\s*;\s*/)
    const media = all.find((one) => one.type === type?.trim())
    // With a Content-Type, an empty text or form is a body; JSON is never empty.
    const isAbsent = !content || (content.bytes.length === 0 && (!content.type || !media || isJson(media.type)))
    if (isAbsent) return required ? ['body is required'] : []
    const charset = options.find((option) => option.startsWith('charset='))
    if (!media || (charset && !/^charset="?(utf-8|us-ascii)"?$/.test(charset))) {
      throw errorOf('unsupported_media_type', `Send the body as ${types.join(' or ')}, in UTF-8.`)
    }
    input.body = media.read(content.bytes)
    return media.check(input)
  }
}

const isJson = (type: string) => /^application\/(.+\+)?json$/.test(type)

function mediaOf(document: Document, type: string, schema: Schema): { read: Media['read']; isChecked: boolean } {
  if (isJson(type)) return { read: (bytes) => parseExact(textOf(bytes)), isChecked: true }
  const known = resolve<Schema>(schema, document)
  if (type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(known.properties ?? {}).map(
      ([name, one]) => [name, fieldReader(document, { name, in: 'query', schema: one })] as const,
    )
    return { read: (bytes) => formIn(new URLSearchParams(textOf(bytes)), new Map(fields)), isChecked: true }
  }
  if (known.type !== 'string' || type.includes('*')) throw new Error(`the body ${type} is not supported`)
  if (known.format === 'binary') return { read: (bytes) => bytes, isChecked: false }
  return { read: textOf, isChecked: true }
}

function formIn(form: URLSearchParams, fields: ReadonlyMap<string, (text: string | string[]) => unknown>) {
  const names = [...new Set(form.keys())]
  const fieldOf = (name: string) => {
    const texts = form.getAll(name)
    const text = texts.length > 1 ? texts : String(texts[0])
    return fields.get(name)?.(text) ?? text
  }
  return Object.fromEntries(names.map((name) => [name, fieldOf(name)]))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new MalformedError('The body is not UTF-8.')
  }
}
