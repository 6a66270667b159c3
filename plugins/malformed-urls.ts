// Rejects malformed URLs of operations and unknown paths. The other routes that match one are that of 405, and those of
// files, which are then not found.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isMalformed } from '../http/target.ts'
import { ApiError } from '../spec/errors.ts'

async function malformedUrls(app: FastifyInstance) {
  // Not earlier: a request without a key gets 401, and a path that lacks the method 405.
  app.addHook('preHandler', (request, _reply, done) => {
    done(isRejected(request) ? new ApiError('invalid_request', 'The URL is not valid.') : undefined)
  })
}

const isRejected = (request: FastifyRequest) =>
  isMalformed(request.originalUrl) && (request.is404 || request.routeOptions.config.operation !== undefined)

export default fp(malformedUrls, { name: 'malformed-urls', dependencies: ['errors'] })
