// The parts of multipart/form-data (RFC 7578), in their order.
import { pipeline, Readable } from 'node:stream'
import { MalformedError } from '../json.ts'
import { textOf } from './texts.ts'

export interface Part {
  name: string
  filename: string | undefined
  type: string
  /** Whether it has a filename, or is application/octet-stream. */
  isFile: boolean
  /** To be read before the next part is taken. */
  content: Readable
}

/** Reading takes 50 microseconds a part. */
const MAX_PARTS = 1_000

/** @throws an error for `failureOf` */
export async function* partsIn(stream: Readable, type: string): AsyncGenerator<Part> {
  const { Busboy } = await import('@fastify/busboy') // few operations need it
  const parts = new Readable({ objectMode: true, read() {} })
  let last: Readable | undefined
  const fail = (error: Error) => {
    last?.destroy(error)
    parts.destroy(error)
  }
  try {
    // The parser decodes fields, but not files.
    const parser = new Busboy({
      headers: { 'content-type': type },
      limits: { parts: MAX_PARTS },
      isPartAFile: () => true,
    })
    parser.on('file', (name: string | undefined, content, filename: string | undefined, _encoding, type) => {
      last = content.on('error', () => {})
      if (name === undefined) return fail(new MalformedError('A part of the body has no name.'))
      const isFile = filename !== undefined || type === 'application/octet-stream'
      parts.push({ name, filename, type, isFile, content })
    })
    parser.on('partsLimit', () => fail(new MalformedError(`The body has more than ${MAX_PARTS} parts.`)))
    pipeline(stream, parser, (error) => (error ? fail(error) : parts.push(null)))
    yield* parts as AsyncIterable<Part>
  } finally {
    stream.destroy()
  }
}

/** Replaces the parser's own errors, which have no code: the body is not multipart/form-data. */
export const failureOf = (error: Error) =>
  error instanceof MalformedError || 'code' in error || 'statusCode' in error
    ? error
    : new MalformedError('The body is not multipart/form-data.')

/** @throws MalformedError beyond the limit */
export async function bytesOf({ name, content }: Part, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > limit) throw new MalformedError(`body ${name} is longer than ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @param isText whether the property is written as text; undefined without a property */
export const textOrBytes = (bytes: Buffer, { isFile }: Part, isText: boolean | undefined): string | Buffer =>
  (isText ?? !isFile) ? textOf(bytes) : bytes
