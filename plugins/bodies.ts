// A request is processed once it has arrived completely, body included: broken framing is rejected before any effect.
// Bodies of operations that describe one are parsed as JSON, whatever their Content-Type; all others are discarded.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { BodyTooLargeError, DISCARDED_LIMIT_BYTES, hasBody, readBody } from '../http/body.ts'
import { ApiError } from '../spec/errors.ts'

const LIMIT_BYTES = 16 * 1024
const TYPE = 'application/json'

async function bodies(app: FastifyInstance) {
  const texts = new WeakMap<IncomingMessage, string>()

  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    const isKept = routeOptions.config?.operation?.requestBody !== undefined
    // Fastify rejects types that it has no parser for, and validates only bodies of a type that the document describes.
    if (isKept) raw.headers['content-type'] = TYPE
    else if (raw.headers['content-type'] !== undefined) delete raw.headers['content-type']
    if (!hasBody(raw)) return done()
    readBody(raw, { limit: isKept ? LIMIT_BYTES : DISCARDED_LIMIT_BYTES, isKept }, (error, text) => {
      if (error instanceof BodyTooLargeError) {
        reply.header('connection', 'close') // the rest of the body is not read
        return done(new ApiError('payload_too_large'))
      }
      if (isKept) texts.set(raw, text)
      done(error)
    })
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser([TYPE, '*'], ({ raw }, _payload, done) => {
    const text = texts.get(raw)
    if (!text) return done(null)
    try {
      done(null, JSON.parse(text))
    } catch {
      done(new ApiError('invalid_request', 'The body is not JSON.'))
    }
  })
}

export default fp(bodies, { name: 'bodies', dependencies: ['protocol', 'errors'] })
