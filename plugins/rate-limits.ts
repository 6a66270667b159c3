// Limits requests by key, and failed authentications by address. Each instance counts on its own.
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { addressOf, networkOf, type Rate, rateLimiter } from 'http-edge'
import { ApiError } from '../spec/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** An onRequest hook after requireKey: responds with 429 beyond the limit of the key's name. Absent without a limit. */
    limitRate?: onRequestHookHandler
    /** Counts a failed authentication. @returns the 429 for an address with too many, with the reason for the log */
    limitFailures(request: FastifyRequest, reason?: string): ApiError | undefined
  }
}

export interface RateLimitsOptions {
  /** Requests of all keys of a name together. */
  requests?: Rate | undefined
  failedAuthentications?: Rate | undefined
}

async function rateLimits(app: FastifyInstance, { requests, failedAuthentications }: RateLimitsOptions) {
  if (requests) app.decorate('limitRate', requestLimit(requests))
  app.decorate('limitFailures', failedAuthentications ? failureLimit(failedAuthentications) : () => undefined)
}

function requestLimit(rate: Rate): onRequestHookHandler {
  const count = rateLimiter(rate)
  const policy = `"default";q=${rate.max};w=${rate.seconds}`
  return ({ keyName = '' }, reply, done) => {
    const { isAllowed, remaining, nextIn } = count(keyName)
    // draft-ietf-httpapi-ratelimit-headers-11: `t` is when more requests are allowed, and Retry-After is not earlier.
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"default";r=${remaining};t=${nextIn}`)
    done(isAllowed ? undefined : new ApiError('rate_limited', undefined, nextIn))
  }
}

function failureLimit(rate: Rate): FastifyInstance['limitFailures'] {
  const count = rateLimiter(rate)
  const countWarning = rateLimiter({ ...rate, max: 1 })
  return (request, reason) => {
    const network = networkOf(request.ip)
    const { isAllowed, nextIn } = count(network)
    if (isAllowed) return undefined
    if (countWarning(network).isAllowed) {
      request.log.warn(
        { ip: addressOf(request.ip) },
        'too many failed authentications; rejecting further ones from this address',
      )
    }
    return new ApiError('rate_limited', 'Too many requests with an invalid API key. Try again later.', nextIn, reason)
  }
}

export default fp(rateLimits, { name: 'rate-limits', dependencies: ['errors'] })
