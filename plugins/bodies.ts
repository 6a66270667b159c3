// Reads request bodies. The contract plugin parses those that an operation declares; all others are discarded.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { BodyTooLargeError, hasBody, MAX_BODY_BYTES, MAX_DISCARDED_BYTES, readBody } from '../http/body.ts'
import { ApiError } from '../spec/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body and its Content-Type, if the operation declares a body and the request has either. */
    content?: { type: string | undefined; bytes: Buffer }
  }
}

const nothing = Buffer.alloc(0)

async function bodies(app: FastifyInstance) {
  app.decorateRequest('content')
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, routeOptions } = request
    const type = raw.headers['content-type']
    if (type !== undefined) delete raw.headers['content-type'] // Fastify rejects some before any hook runs
    const isKept = routeOptions.config?.operation?.requestBody !== undefined
    if (isKept && type !== undefined) request.content = { type, bytes: nothing }
    if (!hasBody(raw)) return done()
    readBody(raw, { limit: isKept ? MAX_BODY_BYTES : MAX_DISCARDED_BYTES, isKept }, (error, bytes) => {
      if (error instanceof BodyTooLargeError) {
        reply.header('connection', 'close') // the rest of the body is not read
        return done(new ApiError('payload_too_large'))
      }
      if (isKept && bytes.length > 0) request.content = { type, bytes }
      done(error)
    })
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

export default fp(bodies, { name: 'bodies', dependencies: ['protocol', 'errors'] })
