// An Accept that excludes JSON is refused before the operation's handler runs, so that nothing is done unseen.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import Negotiator from 'negotiator'
import { ApiError } from '../spec/errors.ts'

async function accept(app: FastifyInstance) {
  app.addHook('preHandler', async ({ headers, routeOptions }) => {
    if (!routeOptions.config.operation || headers.accept === undefined || headers.accept === '*/*') return
    const type = new Negotiator({ headers }).mediaType(['application/json'])
    if (type === undefined) throw new ApiError('not_acceptable')
  })
}

export default fp(accept, { name: 'accept' })
