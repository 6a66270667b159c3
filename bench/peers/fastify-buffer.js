// Handwritten Fastify, sending one cached buffer with the server's headers.
import process from 'node:process'
import Fastify from 'fastify'
import { contentType, host, isAuthorized, keepAliveTimeout, listHeaders, newId, port, readList } from './shared.js'

const { LOG_LEVEL: level = 'silent' } = process.env
const { json, etag } = readList()
const app = Fastify({ keepAliveTimeout, genReqId: newId, logger: level !== 'silent' && { level } })

app.addHook('onRequest', (request, reply, done) => {
  if (isAuthorized(request.headers.authorization)) done()
  else reply.code(401).send()
})
app.get('/v1/store/orders', (request, reply) => {
  reply.headers(listHeaders(etag, request.id))
  if (request.headers['if-none-match'] === etag) reply.code(304).send()
  else reply.header('content-type', contentType).send(json)
})
await app.listen({ host, port })
