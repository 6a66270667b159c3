// Pages of the given origins may call the API from a browser, and read its errors. Without origins, none may.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
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
    exposedHeaders: ['etag', 'x-request-id', 'www-authenticate', 'retry-after', 'deprecation', 'sunset', 'allow'],
    maxAge: DAY_SECONDS, // browsers cap it
    strictPreflight: false,
  }
  await app.register(fastifyCors, {
    // A preflight is answered here, also on a path that is not served: the page is to see its 404. A plain OPTIONS goes on.
    delegator: ({ headers }, done) => {
      done(null, { ...options, preflightContinue: headers['access-control-request-method'] === undefined })
    },
  })
  app.addHook('onRequest', (_request, { raw }, done) => {
    varyByOrigin(raw)
    done()
  })
}

/** An answer depends on the origin, whatever else it says that it depends on, also when it is written past Fastify. */
function varyByOrigin(response: ServerResponse) {
  const { writeHead } = response
  response.writeHead = ((status: number, headers?: OutgoingHttpHeaders) => {
    const others = String(headers?.vary ?? response.getHeader('vary')).replace(/(, )?\bOrigin\b/, '')
    const vary = others ? `${others}, Origin` : 'Origin'
    return writeHead.call(response, status, { ...headers, vary })
  }) as typeof writeHead
}

export default fp(cors, { name: 'cors', dependencies: ['errors'] })
