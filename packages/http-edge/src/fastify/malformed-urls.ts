// Rejects malformed URLs of operations and unknown paths. Other routes need no check: a file of that name does not exist.
import type { FastifyInstance } from 'fastify'
import { isMalformed } from '../target.ts'
import { EdgeError } from './errors.ts'
import type { OperationOf } from './operation.ts'

export function rejectMalformedUrls(app: FastifyInstance, operationOf: OperationOf | undefined): void {
  // An earlier hook would come before 401 for a request without a key, and before 405.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isMalformed(request.originalUrl)) return done()
    const isOurs = request.is404 || !operationOf || operationOf(request.routeOptions.config) !== undefined
    done(isOurs ? new EdgeError('invalid_request', 'The URL is not valid.') : undefined)
  })
}
