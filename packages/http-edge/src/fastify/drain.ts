// Graceful shutdown: requests in progress are completed, new ones are rejected, idle connections are closed.
import type { FastifyInstance } from 'fastify'
import { endConnections } from '../server.ts'
import { EdgeError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * From now on, `isShuttingDown` is true. All requests are served until the server closes, but none on a connection that
     * the server might close when the next one arrives (RFC 9112, section 9.6).
     */
    announceShutdown(): void
    isShuttingDown(): boolean
  }
  interface FastifyContextConfig {
    /** A probe is served until the server closes, is not counted, and is logged at level `debug`. */
    isProbe?: boolean
  }
}

/** After a second, another instance or the restarted one can respond. */
const RETRY_AFTER_S = 1

export function drain(app: FastifyInstance, graceMs = 5_000): void {
  let announced = false
  let closing = false

  app.decorate('announceShutdown', () => {
    announced = true
  })
  app.decorate('isShuttingDown', () => announced || closing)

  app.addHook('onRequest', ({ routeOptions }, reply, done) => {
    if (!announced && !closing) return done()
    reply.header('connection', 'close')
    if (!closing || routeOptions.config.isProbe) return done()
    reply.header('retry-after', RETRY_AFTER_S)
    done(new EdgeError('unavailable', 'The server is shutting down.'))
  })
  app.addHook('preClose', async () => {
    closing = true
    if (app.server.listening) endConnections(app.server, graceMs)
  })
}
