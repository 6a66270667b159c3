// API keys as bearer tokens (RFC 6750).
import bearerAuth, { type verifyBearerAuth } from '@fastify/bearer-auth'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

declare module 'fastify' {
  interface FastifyInstance {
    /** An onRequest hook: responds with 401 without a valid key, else sets the request's `keyName`. */
    requireKey: Hook
    /** An onRequest hook after requireKey: responds with 403 if the key is read-only. */
    requireFullScope: Hook
  }
  interface FastifyRequest {
    keyName?: string
    isReadOnly?: boolean
  }
}

export interface ApiKey {
  readonly name: string
  readonly isReadOnly: boolean
  /** In milliseconds since the epoch; Infinity if it does not expire. */
  readonly endsAt: number
  /** Set here for each request. */
  isUsed: boolean
}

export interface AuthOptions {
  keys: {
    /** Another object once any key has changed. */
    readonly current: ReadonlyMap<string, unknown>
    /** Finds expired keys as well. */
    find(key: string): ApiKey | undefined
  }
}

const CHALLENGE = 'Bearer realm="store-orders"'

async function auth(app: FastifyInstance, { keys }: AuthOptions) {
  /** Keys found by their Authorization header, one spelling of each: a request with one of these costs no digest. */
  const known = new Map<string, ApiKey>()
  let knownOf = keys.current

  await app.register(bearerAuth, {
    keys: [],
    addHook: false,
    specCompliance: 'rfc6749', // the scheme in any case, RFC 9110 11.1
    verifyErrorLogLevel: 'debug',
    auth: (text, request) => {
      const key = keys.find(text)
      if (!key || isOver(key)) return false
      if (request.headers.authorization === `Bearer ${text}`) known.set(request.headers.authorization, key)
      admit(request, key)
      return true
    },
  })

  const { failedAuthentications: failures } = app
  const verify = app.getDecorator<verifyBearerAuth>('verifyBearerAuth')
  app.decorate('requireKey', (request, reply, done) => {
    if (knownOf !== keys.current) {
      known.clear()
      knownOf = keys.current
    }
    const { authorization = '' } = request.headers
    const key = known.get(authorization)
    if (key && !isOver(key)) {
      admit(request, key)
      return done()
    }
    // RFC 6750, section 3.1: no error attribute for a request without credentials of this scheme.
    const isAttempt = /^bearer +\S/i.test(authorization)
    const check = () =>
      verify(request, reply, (refused?: Error) => {
        if (!refused) return done()
        if (isAttempt) failures?.count(request)
        reply.header('www-authenticate', isAttempt ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE)
        done(new ApiError('unauthorized', isAttempt ? 'The API key is not valid.' : undefined))
      })
    if (isAttempt && failures) failures.check(request, reply).then(check, done)
    else check()
  })
  app.decorate('requireFullScope', ({ isReadOnly }, reply, done) => {
    if (!isReadOnly) return done()
    reply.header('www-authenticate', `${CHALLENGE}, error="insufficient_scope"`)
    done(new ApiError('forbidden'))
  })
}

function admit(request: FastifyRequest, key: ApiKey) {
  key.isUsed = true
  request.keyName = key.name
  request.isReadOnly = key.isReadOnly
}

const isOver = ({ endsAt }: ApiKey) => Date.now() >= endsAt

export default fp(auth, { name: 'auth', dependencies: ['limits'] })
