// Probes for load balancers and supervisors: /livez, and /readyz, which fails before the server closes.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { shuttingDown } from '../spec/errors.ts'

export interface HealthOptions {
  /** Rejects if requests cannot be served. */
  check(): Promise<void>
}

/** By then, the load balancer has switched to another instance. */
const RETRY_AFTER_S = 1

async function health(app: FastifyInstance, { check }: HealthOptions) {
  const config = { isProbe: true }
  app.get('/livez', { config }, async () => ({ status: 'live' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    if (app.isShuttingDown()) {
      reply.header('retry-after', RETRY_AFTER_S)
      throw shuttingDown()
    }
    await check()
    return { status: 'ready' }
  })
}

export default fp(health, { name: 'health', dependencies: ['errors', 'drain', 'methods'] })
