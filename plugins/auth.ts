// API keys as bearer tokens (RFC 6750).
import bearerAuth, { type FastifyBearerAuthOptions, type verifyBearerAuth } from '@fastify/bearer-auth'
import type { SchemeUse } from 'exact-openapi'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ApiKey, LiveKeys } from '../config/keys/key-set.ts'
import { ApiError } from '../spec/errors.ts'
import { failureLimit, type RateLimits, requestLimit } from './rate-limits.ts'

// Logs, metrics and traces name the key of a request; a WeakMap instead would cost each request.
declare module 'fastify' {
  interface FastifyRequest {
    /** The valid key that the request has; undefined where none is required. */
    apiKey?: ApiKey
  }
}

export interface AuthOptions extends RateLimits {
  keys: Pick<LiveKeys, 'current' | 'find'>
}

const CHALLENGE = 'Bearer realm="store-orders"'

/**
 * Makes a guard. Applications that share it share the limit of each key.
 * @returns a function that registers the guard on an application, and itself returns a function that makes an operation's
 *   onRequest hooks: 401 without a valid key, 429 beyond the limit of the key's name, and 403 if the key is read-only and the
 *   operation is not safe
 */
export function apiKeyGuard({ keys, requests, failedAuthentications }: AuthOptions) {
  const limitRequests = requests && requestLimit(requests)
  const limitFailures = failedAuthentications && failureLimit(failedAuthentications)
  /** Keys by Authorization header: one that was valid before needs no digest. */
  const byHeader = new Map<string, ApiKey>()
  let snapshot = keys.current

  const auth: FastifyBearerAuthOptions['auth'] = (token, request) => {
    const key = keys.find(token)
    if (!key || hasExpired(key)) return false
    if (request.headers.authorization === `Bearer ${token}`) byHeader.set(request.headers.authorization, key)
    request.apiKey = key
    return true
  }

  const requireKey =
    (verify: verifyBearerAuth): onRequestHookHandler =>
    (request, reply, done) => {
      if (snapshot !== keys.current) {
        byHeader.clear()
        snapshot = keys.current
      }
      const { authorization = '' } = request.headers
      const key = byHeader.get(authorization)
      if (key && !hasExpired(key)) {
        request.apiKey = key
        return done()
      }
      verify(request, reply, (rejected?: Error) => done(rejected && problemOf(request, reply)))
    }

  /** RFC 6750, section 3.1: no error attribute for a request without credentials of this scheme. */
  function problemOf(request: FastifyRequest, reply: FastifyReply): ApiError {
    const { authorization } = request.headers
    const [, token] = /^bearer +(\S.*)/i.exec(authorization ?? '') ?? []
    if (token === undefined) {
      reply.header('www-authenticate', CHALLENGE)
      const reason = authorization
        ? 'The Authorization header has no bearer token.'
        : 'There is no Authorization header.'
      return new ApiError('unauthorized', undefined, { reason })
    }
    const reason = reasonOf(keys.find(token))
    const tooMany = limitFailures?.(request, reason)
    if (tooMany) return tooMany
    reply.header('www-authenticate', `${CHALLENGE}, error="invalid_token"`)
    return new ApiError('unauthorized', 'The API key is not valid.', { reason })
  }

  return async (app: FastifyInstance) => {
    await app.register(bearerAuth, {
      keys: [],
      addHook: false,
      specCompliance: 'rfc6749', // accepts the scheme in any case (RFC 9110, section 11.1)
      verifyErrorLogLevel: 'debug',
      auth,
    })
    app.decorateRequest('apiKey')
    const keyed = requireKey(app.getDecorator<verifyBearerAuth>('verifyBearerAuth'))
    const limited = limitRequests ? [keyed, limitRequests] : [keyed]
    return ({ operation }: SchemeUse) => (operation.isSafe ? limited : [...limited, requireFullScope])
  }
}

const requireFullScope: onRequestHookHandler = ({ apiKey }, reply, done) => {
  if (!apiKey?.isReadOnly) return done()
  reply.header('www-authenticate', `${CHALLENGE}, error="insufficient_scope"`)
  done(new ApiError('forbidden'))
}

/** Only the log says whether the key was ever valid. */
function reasonOf(key: ApiKey | undefined): string | undefined {
  return key && `The API key ${key.name} ${key.endsAt > Number.NEGATIVE_INFINITY ? 'has expired' : 'is revoked'}.`
}

/** Reading the clock takes as long as finding the key, and most keys have no end. */
const hasExpired = ({ endsAt }: ApiKey) => endsAt < Number.POSITIVE_INFINITY && Date.now() >= endsAt
