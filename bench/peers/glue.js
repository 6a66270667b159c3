// fastify-openapi-glue as its own documentation shows it, over a Map.
import Fastify from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { documentFile, host, isAuthorized, port, readOrders } from './shared.js'

const orders = readOrders()
const app = Fastify({ ajv: { customOptions: { strict: false } } })
app.setErrorHandler((/** @type {import('fastify').FastifyError} */ error, _request, reply) => {
  const { statusCode: status = 500, message } = error
  reply.code(status).send({ code: status === 401 ? 'unauthorized' : 'internal_error', message, status })
})

await app.register(openapiGlue, {
  specification: documentFile,
  prefix: 'v1',
  serviceHandlers: {
    listOrders: async () => [...orders.values()],
    cancelOrder: async (request, reply) => {
      if (orders.delete(request.params.orderId)) return reply.code(204).send()
      return reply.code(404).send({ code: 'order_not_found', message: 'No such order', status: 404 })
    },
    getPetById: async (request) => ({ id: request.params.petId }),
  },
  securityHandlers: {
    apiKey: (request) => {
      if (!isAuthorized(request.headers.authorization)) throw new Error('the key is missing or wrong')
    },
  },
})
await app.listen({ host, port })
