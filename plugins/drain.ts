// Graceful shutdown: requests in progress are completed, new ones are rejected, idle connections are closed.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endConnections } from '../http/server.ts'
import { shuttingDown } from '../spec/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on, /readyz fails. All other requests are served until the server closes. */
    announceShutdown(): void
    isShuttingDown(): boolean
  }
  interface FastifyContextConfig {
    /** A probe is served until the server closes, is not counted, and is logged at level `debug`. */
    isProbe?: boolean
  }
}

interface DrainOptions {
  /** How long requests in progress may take once the server closes. */
  graceMs?: number
}

async function drain(app: FastifyInstance, { graceMs = 5_000 }: DrainOptions) {
  let announced = false
  let closing = false

  app.decorate('announceShutdown', () => {
    announced = true
  })
  app.decorate('isShuttingDown', () => announced || closing)

  app.addHook('onRequest', ({ routeOptions }, reply, done) => {
    if (!closing) return done()
    reply.header('connection', 'close')
    if (routeOptions.config.isProbe) return done()
    done(shuttingDown())
  })
  app.addHook('preClose', async () => {
    closing = true
    if (app.server.listening) endConnections(app.server, graceMs)
  })
}

export default fp(drain, { name: 'drain' })
