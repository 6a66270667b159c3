// The metrics of a process. Loaded only if they are configured.
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { OrderStore } from '../store/order-store.ts'
import { type CertificateSource, certificateMetrics } from './certificates.ts'
import { type RequestMetrics, requestMetrics } from './requests.ts'
import { type MetricsServer, metricsServer } from './server.ts'
import { storeMetrics } from './store.ts'
import { type WebhookSource, webhookMetrics } from './webhook.ts'

export interface Metrics {
  requests: RequestMetrics
  server: MetricsServer
  /** @returns the store, to be used in its place */
  watchStore(store: OrderStore): OrderStore
  watchCertificates(source: CertificateSource): void
  watchWebhook(sourceNow: () => WebhookSource | undefined): void
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
    watchCertificates: (source) => certificateMetrics(registry, source),
    watchWebhook: (sourceNow) => webhookMetrics(registry, sourceNow),
  }
}
