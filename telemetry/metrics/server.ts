// The port that Prometheus scrapes: GET /metrics, and nothing else.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'

export interface MetricsServer {
  /** @returns the address of the metrics: for port 0, at any free port */
  listen(host: string, port: number): Promise<string>
  close(): Promise<void>
}

const plain = { 'content-type': 'text/plain; charset=utf-8' }

export function metricsServer(registry: Registry): MetricsServer {
  const server = createServer(async ({ method, url }, response) => {
    if (url?.replace(/\?.*/s, '') !== '/metrics')
      return response.writeHead(404, plain).end('Metrics are at /metrics.\n')
    if (method !== 'GET' && method !== 'HEAD') {
      return response.writeHead(405, { ...plain, allow: 'GET, HEAD' }).end('Only GET and HEAD.\n')
    }
    const text = await registry.metrics()
    return response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  })
  return {
    async listen(host, port) {
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
