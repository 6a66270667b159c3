// Graceful shutdown: requests in progress are completed, new ones are rejected, idle connections are closed.
import type { FastifyInstance } from 'fastify'
import { endConnections } from '../server.ts'
import { EdgeError } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A probe is served until the server closes, is not counted, and is logged at level `debug`. */
    isProbe?: boolean
  }
}

/** After a second, another instance or the restarted one can respond. */
const RETRY_AFTER_S = 1

export function drain(graceMs = 5_000, shutdown?: AbortSignal) {
  let isEnding = shutdown?.aborted ?? false
  let closing = false
  shutdown?.addEventListener('abort', () => {
    isEnding = true
  })

  function addTo(app: FastifyInstance) {
    app.addHook('onRequest', ({ routeOptions }, reply, done) => {
      if (!isEnding) return done()
      reply.header('connection', 'close')
      if (!closing || routeOptions.config.isProbe) return done()
      reply.header('retry-after', RETRY_AFTER_S)
      done(new EdgeError('unavailable', 'The server is shutting down.'))
    })
    app.addHook('preClose', async () => {
      isEnding = true
      closing = true
      if (app.server.listening) endConnections(app.server, graceMs)
    })
  }

  /** `isShuttingDown` is true once the shutdown was announced or the server closes. */
  return { addTo, isShuttingDown: () => isEnding }
}
