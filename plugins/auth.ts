// API keys as bearer tokens (RFC 6750).
import bearerAuth, { type verifyBearerAuth } from '@fastify/bearer-auth'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** An onRequest hook: responds with 401 without a valid key, else sets the request's `keyName`. */
    requireKey: onRequestHookHandler
    /** An onRequest hook after requireKey: responds with 403 if the key is read-only. */
    requireFullScope: onRequestHookHandler
  }
  interface FastifyRequest {
    keyName?: string
    isReadOnly?: boolean
  }
}

export interface ApiKey {
  readonly name: string
  readonly isReadOnly: boolean
  /** In milliseconds since the epoch; Infinity if it does not expire, -Infinity if it is revoked. */
  readonly endsAt: number
}

export interface AuthOptions {
  keys: {
    /** A new object whenever any key changes. */
    readonly current: ReadonlyMap<string, unknown>
    /** Returns expired and revoked keys as well. */
    find(key: string): ApiKey | undefined
  }
}

const CHALLENGE = 'Bearer realm="store-orders"'

async function auth(app: FastifyInstance, { keys }: AuthOptions) {
  /** Keys by Authorization header: a known header needs no digest. */
  const known = new Map<string, ApiKey>()
  let knownOf = keys.current

  await app.register(bearerAuth, {
    keys: [],
    addHook: false,
    specCompliance: 'rfc6749', // accepts the scheme in any case (RFC 9110, section 11.1)
    verifyErrorLogLevel: 'debug',
    auth: (text, request) => {
      const key = keys.find(text)
      if (!key || hasExpired(key)) return false
      if (request.headers.authorization === `Bearer ${text}`) known.set(request.headers.authorization, key)
      admit(request, key)
      return true
    },
  })

  const verify = app.getDecorator<verifyBearerAuth>('verifyBearerAuth')
  app.decorate('requireKey', (request, reply, done) => {
    if (knownOf !== keys.current) {
      known.clear()
      knownOf = keys.current
    }
    const { authorization = '' } = request.headers
    const key = known.get(authorization)
    if (key && !hasExpired(key)) {
      admit(request, key)
      return done()
    }
    verify(request, reply, (rejected?: Error) => done(rejected && problemOf(request, reply)))
  })

  /** RFC 6750, section 3.1: no error attribute for a request without credentials of this scheme. */
  function problemOf(request: FastifyRequest, reply: FastifyReply): ApiError {
    const [, text] = /^bearer +(\S.*)/i.exec(request.headers.authorization ?? '') ?? []
    if (text === undefined) {
      reply.header('www-authenticate', CHALLENGE)
      return new ApiError('unauthorized')
    }
    const reason = reasonOf(keys.find(text))
    const tooMany = app.limitFailures(request, reason)
    if (tooMany) return tooMany
    reply.header('www-authenticate', `${CHALLENGE}, error="invalid_token"`)
    return new ApiError('unauthorized', 'The API key is not valid.', undefined, reason)
  }

  app.decorate('requireFullScope', ({ isReadOnly }, reply, done) => {
    if (!isReadOnly) return done()
    reply.header('www-authenticate', `${CHALLENGE}, error="insufficient_scope"`)
    done(new ApiError('forbidden'))
  })
}

/** For the log: the client is not told whether the key was ever valid. */
function reasonOf(key: ApiKey | undefined): string | undefined {
  return key && `The API key ${key.name} ${key.endsAt > Number.NEGATIVE_INFINITY ? 'has expired' : 'is revoked'}.`
}

function admit(request: FastifyRequest, key: ApiKey) {
  request.keyName = key.name
  request.isReadOnly = key.isReadOnly
}

const hasExpired = ({ endsAt }: ApiKey) => Date.now() >= endsAt

export default fp(auth, { name: 'auth', dependencies: ['rate-limits'] })
