// Bodies that handlers read while they arrive: bytes, and multipart/form-data part by part.
import { PassThrough, pipeline, Readable } from 'node:stream'
import { isForm, isJson, isMultipart } from '../../media-types.ts'
import { anything, type Media, type Schema } from '../../model/index.ts'
import type { UploadPart } from '../../operation-types.ts'
import type { Compile } from '../checks/compiler.ts'
import { type ErrorOf, rejectionOf, requireNone } from '../errors.ts'
import { MalformedError } from '../json.ts'
import { fieldsReader } from './forms.ts'
import { isWritten, MAX_PARTS, ofParts, requireAccepted, typed } from './multipart.ts'
import { textOf } from './texts.ts'
import { propertiesOf, propertyFinder } from './types.ts'

interface Received {
  name: string | undefined
  text?: string
  file?: Pick<Extract<UploadPart, { body: unknown }>, 'filename' | 'type'> & { stream: Readable }
}

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
  const check = compile({ pointer: `${whole.pointer}, all`, type: 'object', properties: { body: whole } })
  const each: Schema = { pointer: `${whole.pointer} of one`, type: 'object', properties: propertiesOf(whole) }
  const checkOne = compile({ pointer: `${whole.pointer}, one`, type: 'object', properties: { body: each } })
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
      for await (const { name, text: written, file } of partsIn(stream, given)) {
        if (name === undefined) throw new MalformedError('A part of the body has no name.')
        if (file) requireAccepted(name, file.type, encoding)
        const property = propertyOf(name)
        const isText = property && isWritten(property)
        const sent = file && isText ? await textIn(file.stream, name) : written
        const text = sent !== undefined && isText === false ? Buffer.from(sent) : sent // a file without a name
        known.set(name, [...(known.get(name) ?? []), text ?? Buffer.alloc(0)])
        if (text !== undefined) yield { name, value: checkedValue(name, text) }
        else if (file) {
          const body = bodyOf(file.stream, rejection)
          yield { name, filename: file.filename, type: file.type, body }
          body.destroy() // what was not read
        }
      }
      const body = [...known].map(([name, values]) => [name, typed(values, propertyOf(name), readField(name))])
      requireNone(check({ body: Object.fromEntries(body) }))
    } catch (error) {
      throw rejection(error)
    }
  }
}

/** A text that is sent as a file, such as JSON. */
async function textIn(file: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    if (size > MAX_TEXT_BYTES) throw tooLong(name)
    chunks.push(chunk)
  }
  return textOf(Buffer.concat(chunks))
}

const tooLong = (name: string) => new MalformedError(`body ${name} is longer than ${MAX_TEXT_BYTES} bytes.`)

async function* partsIn(stream: Readable, type: string): AsyncGenerator<Received> {
  const { Busboy } = await import('@fastify/busboy') // only uploads need it
  const limits = { parts: MAX_PARTS, fieldSize: MAX_TEXT_BYTES }
  const parser = new Busboy({ headers: { 'content-type': type }, limits })
  const parts = new Readable({ objectMode: true, read() {} })
  let file: Readable | undefined
  const fail = (error: Error) => {
    file?.destroy(error)
    parts.destroy(error)
  }
  parser.on('field', (name, text, _isNameCut, isCut) => {
    if (isCut) fail(tooLong(name))
    else if (text.includes('\ufffd')) fail(new MalformedError('The body is not UTF-8.'))
    else parts.push({ name, text })
  })
  parser.on('file', (name, stream, filename, _encoding, type) => {
    file = stream.on('error', () => {})
    parts.push({ name, file: { filename, type, stream } })
  })
  parser.on('partsLimit', () => fail(new MalformedError(`The body has more than ${MAX_PARTS} parts.`)))
  pipeline(stream, parser, (error) => (error ? fail(error) : parts.push(null)))
  try {
    yield* parts as AsyncIterable<Received>
  } finally {
    stream.destroy()
  }
}

/** A reader that stops early does not stop the parser. */
function bodyOf(file: Readable, rejection: (error: unknown) => Error): Readable {
  const body = new PassThrough()
  body.on('error', () => {}).on('close', () => file.unpipe(body).resume()) // it may fail while nobody reads it
  file.on('error', (error) => body.destroy(rejection(error)))
  return file.pipe(body)
}

/** The parser's own errors have no code. */
const failureOf = (error: Error) =>
  error instanceof MalformedError || 'code' in error || 'statusCode' in error
    ? error
    : new MalformedError('The body is not multipart/form-data.')
