// The metrics of a process, and the port that Prometheus scrapes. Loaded only if they are configured.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { OrderStore } from '../../store/order-store.ts'
import type { RequestObserver } from '../request-log.ts'
import { keyMetrics, type LiveKeys } from './keys.ts'
import { requestMetrics } from './requests.ts'
import { counter, gauge, type ScrapedOptions } from './series.ts'
import { storeMetrics } from './store.ts'

export interface Metrics {
  requests: RequestObserver
  server: MetricsServer
  watchStore(store: OrderStore): void
  /** For the metrics of other parts. */
  counter(options: ScrapedOptions): void
  gauge(options: ScrapedOptions): void
}

interface MetricsServer {
  /** @returns the address of the metrics: for port 0, at any free port */
  listen(host: string, port: number): Promise<string>
  close(): Promise<void>
}

export interface MetricsSources {
  /** Of this service. */
  version: string
  keys: LiveKeys
  /** Counts the log lines that were lost. */
  lostLines(): number
}

/** They list every socket on each scrape, and three of them have the name of a counter. */
const unwanted = ['handles', 'requests', 'resources'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

export function openMetrics({ version, keys, lostLines }: MetricsSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry }) // CPU, memory, garbage collection, event-loop delay
  for (const name of unwanted) registry.removeSingleMetric(name)
  counter(registry, {
    name: 'store_orders_log_lines_lost_total',
    help: 'Log lines that could not be written.',
    read: () => [{ value: lostLines() }],
  })
  gauge(registry, {
    name: 'store_orders_build_info',
    help: 'The versions of this service and of Node.js; always 1.',
    read: () => [{ labels: { version, node_version: process.versions.node }, value: 1 }],
  })
  keyMetrics(registry, keys)
  return {
    requests: requestMetrics(registry, keys),
    server: metricsServer(registry),
    watchStore: (store) => storeMetrics(registry, store),
    counter: (options) => counter(registry, options),
    gauge: (options) => gauge(registry, options),
  }
}

const plain = { 'content-type': 'text/plain; charset=utf-8' }

function metricsServer(registry: Registry): MetricsServer {
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
