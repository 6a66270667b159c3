// The minimal server for the same API and its documentation: Fastify with glue, swagger and swagger-ui.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { documentFile, host, isAuthorized, port, readOrders } from './shared.js'

const orders = readOrders()
const app = Fastify({ ajv: { customOptions: { strict: false } } })
app.setErrorHandler((/** @type {import('fastify').FastifyError} */ error, _request, reply) => {
  const { statusCode: status = 500, message } = error
  reply.code(status).send({ code: status === 401 ? 'unauthorized' : 'internal_error', message, status })
})

await app.register(swagger, { mode: 'static', specification: { path: documentFile, baseDir: '' } })
await app.register(swaggerUi, { routePrefix: '/docs' })
await app.register(openapiGlue, {
  specification: documentFile,
  prefix: 'v1',
  serviceHandlers: {
    listOrders: async () => [...orders.values()],
    cancelOrder: async (_request, reply) => reply.code(204).send(),
    getPetById: async (request) => ({ id: request.params.petId }),
  },
  securityHandlers: {
    apiKey: (request) => {
      if (!isAuthorized(request.headers.authorization)) throw new Error('the key is missing or wrong')
    },
  },
})
await app.listen({ host, port })
