// Limits requests by key, and failed authentications by address. Each instance counts on its own.
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Rate, rateLimiter } from 'http-edge'
import { networkOf, normalizeIp } from 'http-edge/addresses'
import { ApiError } from '../spec/errors.ts'

/** For each key: its program may exceed the limit for weeks. */
const WARNING_RATE: Rate = { max: 1, seconds: 86_400 }
const overLimit =
  'a key exceeds RATE_LIMIT; its further requests get 429, and the next warning comes in a day at the earliest'

export interface RateLimits {
  /** Requests of all keys of a name together. */
  requests?: Rate | undefined
  failedAuthentications?: Rate | undefined
}

/** @returns an onRequest hook for requests with a valid key: responds with 429 beyond the limit of the key's name */
export function requestLimit(rate: Rate): onRequestHookHandler {
  const count = rateLimiter(rate)
  const countWarning = rateLimiter(WARNING_RATE)
  const policy = `"default";q=${rate.max};w=${rate.seconds}`
  return ({ apiKey, log }, reply, done) => {
    const name = String(apiKey?.name)
    const { isAllowed, remaining, nextIn } = count(name)
    if (!isAllowed && countWarning(name).isAllowed) log.warn({ key: name }, overLimit)
    // draft-ietf-httpapi-ratelimit-headers-11: `t` is when more requests are allowed, and Retry-After is not earlier.
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"default";r=${remaining};t=${nextIn}`)
    done(isAllowed ? undefined : new ApiError('rate_limited', undefined, { retryAfterSeconds: nextIn }))
  }
}

/** @returns a function that counts a failed authentication, and returns the 429 if its address has too many. Only the log shows `reason`. */
export function failureLimit(rate: Rate) {
  const count = rateLimiter(rate)
  const countWarning = rateLimiter({ ...rate, max: 1 })
  return (request: FastifyRequest, reason?: string): ApiError | undefined => {
    const network = networkOf(request.ip)
    const { isAllowed, nextIn } = count(network)
    if (isAllowed) return undefined
    if (countWarning(network).isAllowed) {
      request.log.warn(
        { ip: normalizeIp(request.ip) },
        'too many failed authentications; rejecting further ones from this address',
      )
    }
    const message = 'Too many requests with an invalid API key. Try again later.'
    return new ApiError('rate_limited', message, { retryAfterSeconds: nextIn, reason })
  }
}
