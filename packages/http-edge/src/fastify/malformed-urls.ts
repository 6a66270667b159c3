// Rejects malformed URLs of operations and unknown paths. Other routes need no check: a file of that name does not exist.
import type { FastifyInstance } from 'fastify'
import { isMalformed } from '../target.ts'
import { EdgeError } from './errors.ts'
import type { OperationOf } from './operation.ts'

export function rejectMalformedUrls(app: FastifyInstance, operationOf: OperationOf | undefined): void {
  // An earlier hook would come before 401 for a request without a key, and before 405.
  app.addHook('preHandler', ({ originalUrl, is404, routeOptions }, _reply, done) => {
    const isOurs = is404 || !operationOf || operationOf(routeOptions.config) !== undefined
    const isRejected = isMalformed(originalUrl) && isOurs
    done(isRejected ? new EdgeError('invalid_request', 'The URL is not valid.') : undefined)
  })
}
