// The port for Prometheus and for probes. It has a few connections of its own: it responds while the other ports are full,
// and cannot fill them.
import { once } from 'node:events'
import { createServer, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { rateLimiter } from 'http-edge'
import type { Registry } from 'prom-client'

/** Times are in milliseconds. Requests have no body, and responses fit into the buffers of a socket. */
const options = {
  requestTimeout: 5_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
} satisfies ServerOptions
const IDLE_TIMEOUT_MS = 10_000
/** No other port takes these, so the metrics stay reachable while the others are full. */
const MAX_CONNECTIONS = 16
const WARNING_RATE = { max: 1, seconds: 60 }

const plain = { 'content-type': 'text/plain; charset=utf-8' }
const probes = ['/livez', '/readyz']
/** A closing app takes no requests. */
const closing = { statusCode: 503, headers: plain, rawPayload: Buffer.from('The server is closing.\n') }

export function metricsServer(registry: Registry, report: (message: string) => void) {
  let app: Pick<FastifyInstance, 'inject'>
  const server = createServer(options, async ({ method, url = '' }, response) => {
    const path = url.replace(/\?.*/s, '')
    if (path !== '/metrics' && !probes.includes(path))
      return response.writeHead(404, plain).end('Metrics are at /metrics, probes at /livez and /readyz.\n')
    if (method !== 'GET' && method !== 'HEAD')
      return response.writeHead(405, { ...plain, allow: 'GET, HEAD' }).end('Only GET and HEAD.\n')
    if (probes.includes(path)) {
      const { statusCode, headers, rawPayload } = await app.inject({ method, url: path }).catch(() => closing)
      return response.writeHead(statusCode, headers).end(rawPayload)
    }
    const text = await registry.metrics()
    return response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  })
  server.setTimeout(IDLE_TIMEOUT_MS)
  server.maxConnections = MAX_CONNECTIONS
  const countWarning = rateLimiter(WARNING_RATE)
  server.on('drop', () => {
    if (countWarning('').isAllowed)
      report(`the port of the metrics has ${MAX_CONNECTIONS} connections, as many as it may; closing further ones`)
  })

  return {
    maxConnections: MAX_CONNECTIONS,
    /**
     * Serves the metrics, and the app's probes.
     * @returns the address of the metrics: for port 0, at any free port
     */
    async listen(host: string, port: number, served: Pick<FastifyInstance, 'inject'>) {
      app = served
      server.listen(port, host)
      await once(server, 'listening')
      const { address, port: taken } = server.address() as AddressInfo
      const authority = address.replace(/.*:.*/, '[$&]') // IPv6, RFC 3986 3.2.2
      return `http://${authority}:${taken}/metrics`
    },
    async close() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
