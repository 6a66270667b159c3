// Probes for load balancers and supervisors: /livez, and /readyz, which fails before the server closes.
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { shuttingDown } from '../spec/errors.ts'
import { asJson } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A probe is neither counted nor traced, and is logged at level `debug`. */
    isProbe?: boolean
  }
}

interface HealthOptions {
  /** Rejects if requests cannot be served. */
  check(): Promise<void>
  isShuttingDown(): boolean
}

async function health(app: FastifyInstance, { check, isShuttingDown }: HealthOptions) {
  const config = { isProbe: true }
  app.get('/livez', { config }, async (_request, reply) => asJson(reply).send({ status: 'live' }))
  app.get('/readyz', { config }, async (_request, reply) => {
    if (isShuttingDown()) throw shuttingDown()
    await check()
    return asJson(reply).send({ status: 'ready' })
  })
}

export default fp(health, { name: 'health', dependencies: ['errors', 'http-edge'] })
