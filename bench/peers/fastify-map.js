// Handwritten Fastify with a Map of orders, serialized by fast-json-stringify for every request.
// SAME_HEADERS=1 adds the headers that the server sends.
import process from 'node:process'
import Fastify from 'fastify'
import { host, isAuthorized, keepAliveTimeout, newId, port, readOrders, standardHeaders } from './shared.js'

const orders = readOrders()
const app = Fastify({ keepAliveTimeout, genReqId: newId })
const order = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    petId: { type: 'integer' },
    quantity: { type: 'integer' },
    shipDate: { type: 'string' },
    complete: { type: 'boolean' },
  },
}
const params = { type: 'object', properties: { orderId: { type: 'integer' } } }

app.addHook('onRequest', (request, reply, done) => {
  if (process.env.SAME_HEADERS) reply.headers(standardHeaders(request.id))
  if (isAuthorized(request.headers.authorization)) done()
  else reply.code(401).send()
})
app.get('/v1/store/orders', { schema: { response: { 200: { type: 'array', items: order } } } }, (_request, reply) => {
  reply.send([...orders.values()])
})
app.delete('/v1/store/orders/:orderId', { schema: { params } }, (request, reply) => {
  const { orderId } = /** @type {{ orderId: number }} */ (request.params)
  reply.code(orders.delete(orderId) ? 204 : 404).send()
})
await app.listen({ host, port })
