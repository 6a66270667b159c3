// openapi-backend on node:http, over a Map.
import { createServer } from 'node:http'
import { OpenAPIBackend } from 'openapi-backend'
import { contentType, documentFile, host, isAuthorized, port, readOrders } from './shared.js'

const orders = readOrders()
const api = new OpenAPIBackend({
  definition: documentFile,
  apiRoot: '/v1',
  handlers: {
    listOrders: (_context, response) => {
      response.writeHead(200, { 'content-type': contentType }).end(JSON.stringify([...orders.values()]))
    },
    cancelOrder: ({ request }, response) => {
      response.writeHead(orders.delete(Number(request.params.orderId)) ? 204 : 404).end()
    },
    unauthorizedHandler: (_context, response) => response.writeHead(401).end(),
    validationFail: (_context, response) => response.writeHead(400).end(),
    notFound: (_context, response) => response.writeHead(404).end(),
  },
  securityHandlers: { apiKey: ({ request }) => isAuthorized(request.headers.authorization) },
})
await api.init()

createServer((request, response) => {
  const { method, url, headers } = request
  api.handleRequest({ method, path: url, headers }, response)
}).listen(port, host)
