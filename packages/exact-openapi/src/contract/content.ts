import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A body and its Content-Type. */
export interface Content {
  type: string | undefined
  bytes: Buffer
}

/** @returns undefined if the request has neither */
export type ContentOf = (request: FastifyRequest) => Content | undefined

const nothing = Buffer.alloc(0)

/** Of an application that nothing else reads bodies in. */
export function parsedContent(app: FastifyInstance): ContentOf {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  return ({ headers, body }) => {
    const type = headers['content-type']
    return type === undefined && body === undefined
      ? undefined
      : { type, bytes: (body as Buffer | undefined) ?? nothing }
  }
}
