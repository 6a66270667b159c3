// Fastify as one would write it by hand: a Map of orders, and the list's bytes cached until an order is cancelled. Sends
// the headers of this server.
import Fastify from 'fastify'
import {
  contentType,
  etagOf,
  host,
  isAuthorized,
  keepAliveTimeout,
  listHeaders,
  newId,
  port,
  readOrders,
  standardHeaders,
} from './shared.js'

const orders = readOrders()
/** @type {{ json: Buffer, etag: string } | undefined} */
let cached
const app = Fastify({ keepAliveTimeout, genReqId: newId })
const params = { type: 'object', properties: { orderId: { type: 'integer' } } }

function list() {
  const json = Buffer.from(JSON.stringify([...orders.values()]))
  return { json, etag: etagOf(json) }
}

app.addHook('onRequest', (request, reply, done) => {
  if (isAuthorized(request.headers.authorization)) done()
  else reply.code(401).send()
})
app.get('/v1/store/orders', (request, reply) => {
  cached ??= list()
  reply.headers(listHeaders(cached.etag, request.id))
  if (request.headers['if-none-match'] === cached.etag) reply.code(304).send()
  else reply.header('content-type', contentType).send(cached.json)
})
app.delete('/v1/store/orders/:orderId', { schema: { params } }, (request, reply) => {
  const { orderId } = /** @type {{ orderId: number }} */ (request.params)
  reply.headers(standardHeaders(request.id))
  const isCancelled = orders.delete(orderId)
  if (isCancelled) cached = undefined
  reply.code(isCancelled ? 204 : 404).send()
})
await app.listen({ host, port })
