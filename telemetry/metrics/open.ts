// The metrics of a process. Loaded only if they are configured.
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { OrderStore } from '../../store/order-store.ts'
import { type RequestMetrics, requestMetrics } from './requests.ts'
import { counter, gauge, type ScrapedOptions } from './scraped.ts'
import { type MetricsServer, metricsServer } from './server.ts'
import { storeMetrics } from './store.ts'

export interface Metrics {
  requests: RequestMetrics
  server: MetricsServer
  /** @returns the store, to be used in its place */
  watchStore(store: OrderStore): OrderStore
  /** For the metrics of other parts. */
  counter(options: ScrapedOptions): void
  gauge(options: ScrapedOptions): void
}

/** They list every socket at each scrape, and three of them have the name of a counter. */
const unwanted = ['handles', 'requests', 'resources'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry }) // CPU, memory, garbage collection, event-loop delay
  for (const name of unwanted) registry.removeSingleMetric(name)
  return {
    requests: requestMetrics(registry),
    server: metricsServer(registry),
    watchStore: (store) => storeMetrics(registry, store),
    counter: (options) => counter(registry, options),
    gauge: (options) => gauge(registry, options),
  }
}
