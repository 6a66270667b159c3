// Bodies that handlers read while they arrive: bytes, and multipart/form-data part by part.
import { PassThrough, Readable } from 'node:stream'
import { isForm, isJson, isMultipart } from '../../media-types.ts'
import { anything, type Media, type Schema } from '../../model/index.ts'
import type { UploadPart } from '../../operation-types.ts'
import type { Compile } from '../checks/compiler.ts'
import { type ErrorOf, rejectionOf, requireNone } from '../errors.ts'
import { fieldsReader } from './forms.ts'
import { isWritten, ofParts, requireAccepted, typed } from './multipart.ts'
import { bytesOf, failureOf, partsIn, textOrBytes } from './parts.ts'
import { propertiesOf, propertyFinder } from './types.ts'

/** Texts are kept until all parts have been read. */
const MAX_TEXT_BYTES = 2 ** 16

/** Fails beyond the limit. What a reader leaves is discarded, so that the connection can be used again. */
export function limited(payload: Readable, limit: number): Readable {
  async function* chunks() {
    let received = 0
    try {
      for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
        received += chunk.length
        if (received > limit) throw Object.assign(new Error('Request body is too large'), { statusCode: 413 })
        yield chunk
      }
    } finally {
      payload.resume()
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}

/** @throws for a media type that is read as a whole */
export function uploadReader({ type, schema = anything, encoding }: Media, compile: Compile, errorOf: ErrorOf) {
  if (isJson(type) || isForm(type)) throw new Error(`a body of ${type} cannot be a stream`)
  if (!isMultipart(type)) return (stream: Readable) => stream
  const whole = ofParts(schema)
  const check = compile({ body: whole })
  const each: Schema = { pointer: `${whole.pointer} of one`, type: 'object', properties: propertiesOf(whole) }
  const checkOne = compile({ body: each })
  const propertyOf = propertyFinder(schema)
  const readField = fieldsReader(schema, encoding, compile)
  const rejection = (error: unknown) => rejectionOf(failureOf(error as Error), 'body', errorOf)

  /** Of a text, checked: an item of a list. */
  function checkedValue(name: string, text: string | Buffer): unknown {
    const body: Record<string, unknown> = { [name]: typed([text], propertyOf(name), readField(name)) }
    requireNone(checkOne({ body }))
    const value = body[name]
    return Array.isArray(value) ? value[0] : value
  }

  return async function* parts(stream: Readable, given: string): AsyncGenerator<UploadPart> {
    const known = new Map<string, (string | Buffer)[]>()
    try {
      for await (const part of partsIn(stream, given)) {
        requireAccepted(part, encoding)
        const { name, filename, type, isFile, content } = part
        const property = propertyOf(name)
        const isText = property && isWritten(property)
        const value = isFile && !isText ? undefined : textOrBytes(await bytesOf(part, MAX_TEXT_BYTES), part, isText)
        known.set(name, known.get(name) ?? [])
        known.get(name)?.push(value ?? Buffer.alloc(0))
        if (value !== undefined) {
          yield { name, value: checkedValue(name, value) }
          continue
        }
        const body = bodyOf(content, rejection)
        yield { name, filename: filename ?? '', type, body }
        body.destroy() // what was not read
      }
      const body = [...known].map(([name, values]) => [name, typed(values, propertyOf(name), readField(name))])
      requireNone(check({ body: Object.fromEntries(body) }))
    } catch (error) {
      throw rejection(error)
    }
  }
}

/** A reader that stops early does not stop the parser. */
function bodyOf(file: Readable, rejection: (error: unknown) => Error): Readable {
  const body = new PassThrough()
  body.on('error', () => {}).on('close', () => file.unpipe(body).resume()) // it may fail while nobody reads it
  file.on('error', (error) => body.destroy(rejection(error)))
  return file.pipe(body)
}
