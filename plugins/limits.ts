// Limits on requests by key, and on failed authentications by address. Each instance of the server counts for itself.
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from '../spec/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** An onRequest hook after requireKey: responds with 429 beyond the limit of the key's name. */
    limitRate(request: FastifyRequest, reply: FastifyReply): Promise<void>
    /** Undefined without a limit. */
    failedAuthentications: FailedAuthentications | undefined
  }
}

export interface FailedAuthentications {
  /** Rejects with the 429 of an address that has failed too often. */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>
  count(request: FastifyRequest): void
}

export interface Rate {
  max: number
  seconds: number
}

export interface LimitsOptions {
  /** Requests of all keys of a name together. */
  requests?: Rate | undefined
  failedAuthentications?: Rate | undefined
}

/** An address may be any text where a proxy is trusted. */
const MAX_ADDRESS_LENGTH = 64
const tooManyFailures = 'Too many requests with an invalid API key. Try again later.'

async function limits(app: FastifyInstance, { requests, failedAuthentications }: LimitsOptions) {
  if (requests || failedAuthentications) await app.register(rateLimit, { global: false })
  if (requests) app.decorate('limitRate', requestLimit(app, requests))
  app.decorate('failedAuthentications', failedAuthentications && failureLimit(app, failedAuthentications))
}

/** Its own hook would write the header fields of an older draft. */
function requestLimit(app: FastifyInstance, rate: Rate): FastifyInstance['limitRate'] {
  const take = app.createRateLimit({ ...windowOf(rate), keyGenerator: ({ keyName = '' }) => keyName })
  const policy = `"default";q=${rate.max};w=${rate.seconds}`
  return async (request, reply) => {
    const { remaining, ttlInSeconds, isExceeded } = (await take(request)) as State
    // draft-ietf-httpapi-ratelimit-headers-10
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"default";r=${remaining};t=${ttlInSeconds}`)
    if (isExceeded) throw tooMany(reply, ttlInSeconds)
  }
}

function failureLimit(app: FastifyInstance, rate: Rate): FailedAuthentications {
  const take = app.createRateLimit({ ...windowOf(rate), keyGenerator: addressOf })
  return {
    async check(request, reply) {
      const { remaining, ttlInSeconds } = (await take(request, { increment: false })) as State
      if (remaining === 0) throw tooMany(reply, ttlInSeconds, tooManyFailures)
    },
    async count(request) {
      const { remaining, isExceeded } = (await take(request)) as State
      if (remaining === 0 && !isExceeded)
        request.log.warn({ ip: request.ip }, 'too many invalid API keys: no more are checked for a while')
    },
  }
}

/** Of the two types of results, the one without an allow list. */
type State = Extract<Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>, { isAllowed: false }>

function windowOf({ max, seconds }: Rate) {
  return { max, timeWindow: seconds * 1000 }
}

/** Of IPv6, the network of 64 bits: one customer has all its addresses. A closed connection has no address any more. */
function addressOf({ ip = '' }: FastifyRequest): string {
  return normalizeIP(ip.slice(0, MAX_ADDRESS_LENGTH), 64)
}

function tooMany(reply: FastifyReply, retryAfter: number, message?: string): ApiError {
  reply.header('retry-after', retryAfter)
  return new ApiError('rate_limited', message)
}

export default fp(limits, { name: 'limits', dependencies: ['errors'] })
