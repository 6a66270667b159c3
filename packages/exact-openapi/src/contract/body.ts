// Reads the body of a request: JSON, a form, text or bytes.
import type { Body, Schema } from '../model/index.ts'
import type { Check, Compile } from './compiler.ts'
import type { Content } from './content.ts'
import { MalformedError, parseExact } from './json.ts'
import { fieldReader } from './parameters.ts'
import { decoded, pairsIn } from './texts.ts'

type UnsupportedMediaType = (message: string) => Error

interface MediaReader {
  type: string
  read(bytes: Buffer): unknown
  check: Check
}

/** WHATWG MIME Sniffing, section 4.6. */
export const isJson = (type: string) => /^((application|text)\/json|[^/]+\/.+\+json)$/.test(mediaTypeOf(type))
/** Not a range of HTTP, but what ASP.NET writes: JSON of any name. */
const ANY_JSON = 'application/*+json'
export const isForm = (type: string) => mediaTypeOf(type) === 'application/x-www-form-urlencoded'

/** Without its parameters, in lower case. */
const mediaTypeOf = (type: string) => String(type.split(';', 1)[0]).trim().toLowerCase()

/** Adds the body to the input. @returns its errors */
export function bodyReader({ required, media }: Body, compile: Compile, unsupported: UnsupportedMediaType) {
  const all = media.map(({ type, schema = { pointer: '' } }): MediaReader => {
    const pointer = `${schema.pointer} as the body ${type}`
    const properties = schema.format === 'binary' ? {} : { body: schema }
    return {
      type: mediaTypeOf(type),
      read: readOf(type, schema),
      check: compile({ pointer, type: 'object', properties }),
    }
  })
  const types = all.map(({ type }) => type)

  return (content: Content | undefined, input: { body?: unknown }): string[] => {
    const given = content?.type ?? String(types[0])
    const readerFor = (wanted: string) => all.find(({ type }) => type === wanted)
    const media = readerFor(mediaTypeOf(given)) ?? (isJson(given) ? readerFor(ANY_JSON) : undefined)
    // With a Content-Type, an empty text or form is a body; JSON is never empty.
    const isAbsent = !content || (content.bytes.length === 0 && (!content.type || !media || isJson(media.type)))
    if (isAbsent) return required ? ['body is required'] : []
    const charset = given
      .toLowerCase()
      .split(/\s*;\s*/)
      .find((option) => option.startsWith('charset='))
    if (!media || (charset && !/^charset="?(utf-8|us-ascii)"?$/.test(charset))) {
      throw unsupported(`Send the body as ${types.join(' or ')}, in UTF-8.`)
    }
    input.body = media.read(content.bytes)
    return media.check(input)
  }
}

function readOf(type: string, schema: Schema): MediaReader['read'] {
  if (isJson(type)) return (bytes) => parseExact(textOf(bytes))
  if (isForm(type)) return formReader(schema)
  return schema.format === 'binary' ? (bytes) => bytes : textOf
}

function formReader({ properties = {} }: Schema): MediaReader['read'] {
  const readers = new Map(Object.entries(properties).map(([name, one]) => [name, fieldReader(one)]))
  return (bytes) => {
    const fields = Object.entries(pairsIn(textOf(bytes))).map(([name, value]) => {
      const texts = [value].flat().map((text) => decoded(String(text).replaceAll('+', ' '), `body ${name}`))
      const text = texts.length > 1 ? texts : String(texts[0])
      return [name, readers.get(name)?.(text) ?? text]
    })
    return Object.fromEntries(fields)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new MalformedError('The body is not UTF-8.')
  }
}
