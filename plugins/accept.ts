// An Accept that excludes JSON is refused before the operation's handler runs, so that nothing is done unseen.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { ApiError } from '../spec/errors.ts'

async function accept(app: FastifyInstance) {
  app.addHook('preHandler', ({ headers, routeOptions }, _reply, done) => {
    const isFine = !routeOptions.config.operation || headers.accept === undefined || headers.accept === '*/*'
    done(isFine || acceptsJson(headers) ? undefined : new ApiError('not_acceptable'))
  })
}

function acceptsJson(headers: IncomingHttpHeaders): boolean {
  return new Negotiator({ headers }).mediaType(['application/json']) !== undefined
}

export default fp(accept, { name: 'accept' })
