// Lets pages of the configured origins call the API from a browser and read its errors. Without origins, CORS is off.
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type Document, modelOf } from '../spec/model/index.ts'

interface CorsOptions {
  origins: readonly string[]
  /** The document of the API that the pages call. */
  document: Document
}

const DAY_SECONDS = 86_400

async function cors(app: FastifyInstance, { origins, document }: CorsOptions) {
  if (origins.length === 0) return
  let [usual, preflight]: FastifyCorsOptions[] = []
  // Once the contract has found the document valid.
  app.addHook('onReady', async () => {
    usual = {
      ...allowedBy(document),
      origin: [...origins],
      exposedHeaders: '*', // to requests without cookies, which the API does not use
      maxAge: DAY_SECONDS, // browsers use less
      strictPreflight: false,
      preflightContinue: true, // plugins/methods.ts responds
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

/** What pages may send: whatever any operation of the document takes. */
function allowedBy(document: Document) {
  const { operations } = modelOf(document)
  const isSecured = operations.some(({ security }) => security?.length)
  const hasBody = operations.some(({ body }) => body)
  const parameters = operations.flatMap((operation) => operation.parameters)
  return {
    methods: unique(operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    allowedHeaders: unique([
      ...(isSecured ? ['authorization'] : []),
      'if-none-match',
      'x-request-id',
      ...(hasBody ? ['content-type'] : []),
      ...parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase()),
    ]),
  }
}

const unique = (names: readonly string[]) => [...new Set(names)]

export default fp(cors, { name: 'cors', dependencies: ['errors'] })
