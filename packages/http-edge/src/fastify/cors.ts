// Lets pages of the given origins call the API from a browser and read its errors.
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

export interface CorsOptions {
  /** Exact origins, such as `https://docs.example.com`. */
  origins: readonly string[]
  /** The methods and headers that pages may send. Called once the application is ready. */
  allowed(): { methods: string[]; allowedHeaders: string[] }
}

const DAY_SECONDS = 86_400

export async function allowOrigins(app: FastifyInstance, { origins, allowed }: CorsOptions): Promise<void> {
  let [usual, preflight]: FastifyCorsOptions[] = []
  app.addHook('onReady', async () => {
    usual = {
      ...allowed(),
      origin: [...origins],
      exposedHeaders: '*', // to requests without cookies, which the API does not use
      maxAge: DAY_SECONDS, // browsers use less
      strictPreflight: false,
      preflightContinue: true, // otherMethods responds
      preflight: false,
    }
    preflight = { ...usual, preflight: true }
  })
  await app.register(fastifyCors, {
    // Only a preflight is special. It succeeds even for an unknown path, so that the page can read the 404 of its request.
    delegator: ({ headers }, done) => {
      done(null, headers['access-control-request-method'] === undefined ? usual : preflight)
    },
  })
}
