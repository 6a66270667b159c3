import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import { limited } from './uploads.ts'

/** A body and its Content-Type. */
export interface Content {
  type: string | undefined
  /** A stream in operations of the option `streams`. */
  bytes: Buffer | Readable
}

/** @returns undefined if the request has neither */
export type ContentOf = (request: FastifyRequest) => Content | undefined | Promise<Content | undefined>

const nothing = Buffer.alloc(0)

/** Reads the bodies of an application, if nothing else does. */
export function parsedContent(app: FastifyInstance): ContentOf {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return (request) => {
    const { headers, body } = request
    const type = headers['content-type']
    return type === undefined && body === undefined
      ? undefined
      : { type, bytes: streams.get(request) ?? (body as Buffer | undefined) ?? nothing }
  }
}

const streams = new WeakMap<FastifyRequest, Readable>()

/** Fastify reads an empty body, and the handler the stream. */
export const keepStream: preParsingHookHandler = (request, reply, payload, done) => {
  const stream = limited(payload as Readable, request.routeOptions.bodyLimit)
  reply.raw.once('finish', () => stream.destroy())
  streams.set(request, stream)
  done(null, Object.assign(Readable.from([]), { receivedEncodedLength: Number(request.headers['content-length']) }))
}
