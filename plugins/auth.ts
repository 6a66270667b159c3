// API keys as bearer tokens. The server holds only their SHA-256 digests.
import { hash } from 'node:crypto'
import bearerAuth, { type verifyBearerAuth } from '@fastify/bearer-auth'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Logger } from 'pino'
import { ApiError } from '../spec/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** An onRequest hook: responds with 401 without a valid key, else adds the key's name to the request's log. */
    requireKey(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void
  }
}

export interface AuthOptions {
  /** The names of the keys by the SHA-256 digest of the key, in lower-case hexadecimal. */
  keys: ReadonlyMap<string, string>
}

async function auth(app: FastifyInstance, { keys }: AuthOptions) {
  await app.register(bearerAuth, {
    keys: [],
    addHook: false,
    specCompliance: 'rfc6749', // the scheme in any case, RFC 9110 11.1
    verifyErrorLogLevel: 'debug',
    auth: (key, request) => {
      const name = keys.get(hash('sha256', key, 'hex'))
      if (name !== undefined) (request.log as Logger).setBindings?.({ key: name }) // a silent log has no bindings
      return name !== undefined
    },
  })

  const verify = app.getDecorator<verifyBearerAuth>('verifyBearerAuth')
  app.decorate('requireKey', (request, reply, done) => {
    verify(request, reply, (refused?: Error) => {
      if (!refused) return done()
      const { challenge, error } = refuse(request.headers.authorization)
      reply.header('www-authenticate', challenge)
      done(error)
    })
  })
}

/** RFC 6750, section 3.1: no error attribute for a request without credentials of this scheme. */
function refuse(authorization = '') {
  const challenge = 'Bearer realm="store-orders"'
  if (!/^bearer +\S/i.test(authorization)) return { challenge, error: new ApiError('unauthorized') }
  const error = new ApiError('unauthorized', 'The API key is not valid.')
  return { challenge: `${challenge}, error="invalid_token"`, error }
}

export default fp(auth, { name: 'auth' })
