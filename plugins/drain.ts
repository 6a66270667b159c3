// Graceful shutdown: requests in progress are completed, new ones are rejected, idle connections are closed.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endConnections } from '../http/server.ts'
import { ApiError } from '../spec/errors.ts'

/** By then another instance, or this one restarted, can respond. */
const RETRY_AFTER_S = 1

export interface DrainOptions {
  /** How long requests in progress may take once the server closes. */
  graceMs?: number
}

async function drain(app: FastifyInstance, { graceMs = 5_000 }: DrainOptions) {
  let closing = false

  app.addHook('onRequest', (_request, reply, done) => {
    if (!closing) return done()
    reply.header('retry-after', RETRY_AFTER_S)
    done(new ApiError('unavailable'))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    closing = true
    if (app.server.listening) endConnections(app.server, graceMs)
  })
}

export default fp(drain, { name: 'drain' })
