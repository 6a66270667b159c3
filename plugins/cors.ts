// Lets pages of the configured origins call the API from a browser and read its errors. Without origins, CORS is off.
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export interface CorsOptions {
  origins: readonly string[]
}

const DAY_SECONDS = 86_400

async function cors(app: FastifyInstance, { origins }: CorsOptions) {
  if (origins.length === 0) return
  const options: FastifyCorsOptions = {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'DELETE'],
    allowedHeaders: ['authorization', 'if-none-match', 'x-request-id'],
    exposedHeaders: [
      'etag',
      'x-request-id',
      'www-authenticate',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'deprecation',
      'sunset',
      'allow',
    ],
    maxAge: DAY_SECONDS, // browsers use less
    strictPreflight: false,
    preflightContinue: true, // plugins/methods.ts responds
  }
  await app.register(fastifyCors, {
    // Only a preflight is special. It succeeds even for an unknown path, so that the page can read the 404 of its request.
    delegator: ({ headers }, done) => {
      done(null, { ...options, preflight: headers['access-control-request-method'] !== undefined })
    },
  })
}

export default fp(cors, { name: 'cors', dependencies: ['errors'] })
