// Reads the body of a request: JSON, a form, text or bytes.

import { describing, isForm, isJson, isMultipart, isUtf8 } from '../../media-types.ts'
import { anything, type Body, type Media, type Schema } from '../../model/index.ts'
import type { Check, Compile } from '../checks/compiler.ts'
import type { ErrorOf, Finding } from '../errors.ts'
import { parseExact } from '../json.ts'
import { isJsonItems, itemsIn } from '../response/items.ts'
import type { Content } from './content.ts'
import { formReader } from './forms.ts'
import { multipartReader, ofParts } from './multipart.ts'
import { textOf } from './texts.ts'
import { typeOf, typesOf } from './types.ts'
import { uploadReader } from './uploads.ts'
import { scalarReader } from './values.ts'

interface MediaReader {
  /** As the document writes it. */
  type: string
  /** @returns a promise of the value of multipart/form-data */
  read(content: never, type: string): unknown
  check: Check
}

interface BodyOptions {
  compile: Compile
  errorOf: ErrorOf
  isStream: boolean
}

/** Adds the body to the input. @param media those of the body that can be read @returns its errors */
export function bodyReader({ required }: Body, media: readonly Media[], options: BodyOptions) {
  const { compile, errorOf, isStream } = options
  const all = media.map((one): MediaReader => {
    const { type, schema = anything } = one
    if (isStream) return { type, read: uploadReader(one, compile, errorOf), check: () => [] }
    const isWhole = isText(type) && isBytes(schema)
    const check = compile(isWhole ? {} : { body: isMultipart(type) ? ofParts(schema) : schema })
    return { type, read: readOf(one, schema, compile), check }
  })
  const first = String(all[0]?.type)

  return (content: Content | undefined, input: { body?: unknown }): Finding[] | Promise<Finding[]> => {
    const given = content?.type ?? first
    const reader = describing(all, given)
    // With a Content-Type, an empty text or form is a body; JSON is never empty.
    const isAbsent =
      !content || ((content.bytes as Buffer).length === 0 && (!content.type || !reader || isJson(reader.type)))
    if (isAbsent) return required ? [{ place: 'body', rule: 'required', message: 'is required' }] : []
    if (!reader || (!isUtf8(given) && !isMultipart(given))) {
      const message = `Send the body as ${all.map(({ type }) => type).join(' or ')}, in UTF-8.`
      throw errorOf({ code: 'unsupported_media_type', message, errors: [] })
    }
    const finish = (value: unknown) => {
      input.body = value
      return reader.check(input)
    }
    const value = reader.read(content.bytes as never, given)
    return value instanceof Promise ? value.then(finish) : finish(value)
  }
}

/** A whole body that is no text, in 3.0 by its format, since 3.1 by having no type. */
const isBytes = (schema: Schema) => schema.format === 'binary' || typesOf(schema).length === 0

const isText = (type: string) => !isJson(type) && !isForm(type) && !isMultipart(type)

function readOf({ type, encoding }: Media, schema: Schema, compile: Compile): (bytes: Buffer, type: string) => unknown {
  if (isJson(type)) return (bytes) => parseExact(textOf(bytes))
  if (isForm(type)) return formReader(schema, encoding, compile)
  if (isMultipart(type)) return multipartReader(schema, encoding, compile)
  if (isJsonItems(type) && typeOf(schema) === 'array') return (bytes) => itemsIn(type, textOf(bytes))
  if (isBytes(schema)) return (bytes) => bytes
  const read = scalarReader(typesOf(schema))
  return (bytes) => read(textOf(bytes))
}
