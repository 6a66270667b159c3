// Bodies by their media types: JSON and forms are values, text is a string, all else are bytes.
import { stringify } from 'lossless-json'
import type { Compile } from './compile.ts'
import { unexpected } from './errors.ts'
import { isJson, readJson } from './read.ts'
import type { Received } from './retry.ts'
import type { Content } from './types.ts'
import { definedOf, pairsOf, written } from './uri.ts'

type Fields = Record<string, unknown>

export function encode(type: string, body: unknown) {
  if (isJson(type)) return String(stringify(body))
  if (/^application\/x-www-form-urlencoded/i.test(type)) return pairsOf(body as Fields)
  if (/^multipart\/form-data/i.test(type) && !(body instanceof FormData)) return formOf(body as Fields)
  return body as string | Uint8Array<ArrayBuffer> | FormData
}

/** A part for each value, an object as JSON. Files need a FormData of the caller's own. */
function formOf(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(definedOf(fields) as Fields)) {
    for (const item of [value].flat()) form.append(name, written(item))
  }
  return form
}

/** @throws UnexpectedResponseError when the body is of no media type of the content, or differs from its schema */
export async function decode(read: Compile, content: Content, response: Received): Promise<unknown> {
  const types = Object.entries(content)
  if (types.length === 0) return undefined
  const contentType = response.headers.get('content-type') ?? ''
  const [type, schema] = types.find(([range]) => isWithin(contentType, range)) ?? []
  if (type === undefined) throw unexpected(response)
  if (!isJson(type)) return response.body
  try {
    return await readJson(read, schema as Content[string], String(response.body))
  } catch (cause) {
    throw unexpected(response, cause)
  }
}

/** Whether a content type is this media type, or in its range. */
function isWithin(contentType: string, range: string): boolean {
  const parts = partsOf(contentType)
  return partsOf(range).every((part, at) => part === '*' || part === parts[at])
}

const partsOf = (type: string) => (type.toLowerCase().split(/ *[;,]/, 1)[0] as string).split('/')
