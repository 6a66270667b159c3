// Checks Accept, If-Match and If-Unmodified-Since before the handler runs.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isSafe } from '../http/methods.ts'
import { accepts } from '../http/negotiate.ts'
import { ApiError } from '../spec/errors.ts'

async function preconditions(app: FastifyInstance) {
  app.addHook('preHandler', (request, _reply, done) => {
    done(request.routeOptions.config.operation && unmet(request))
  })
}

function unmet({ method, headers }: FastifyRequest): ApiError | undefined {
  if (!accepts(headers, 'application/json')) return new ApiError('not_acceptable')
  return isMet(method, headers) ? undefined : new ApiError('precondition_failed')
}

/**
 * RFC 9110, section 13.1: an order has no entity tag and the list has a weak one, so only `If-Match: *` matches. Nothing
 * has a modification date, so safe methods ignore If-Unmodified-Since. For unsafe ones, section 13.1.4 says the same, but
 * the document has promised 412 since 1.0.0: no order is cancelled under a condition that was not checked. The
 * If-None-Match of safe methods can only lead to a 304.
 */
function isMet(method: string, headers: IncomingHttpHeaders): boolean {
  if (headers['if-match'] !== undefined && headers['if-match'].trim() !== '*') return false
  return isSafe(method) || (headers['if-unmodified-since'] === undefined && headers['if-none-match']?.trim() !== '*')
}

export default fp(preconditions, { name: 'preconditions', dependencies: ['errors'] })
