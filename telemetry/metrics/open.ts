// The metrics of a process. Loaded only if they are configured.
import process from 'node:process'
import type { Limits } from 'http-edge'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { OrderStore } from '../../store/order-store.ts'
import type { RequestObserver } from '../request-log.ts'
import { connectionMetrics } from './connections.ts'
import { keyMetrics, type LiveKeys } from './keys.ts'
import { requestMetrics } from './requests.ts'
import { counter, gauge, type ScrapedOptions } from './series.ts'
import { type MetricsServer, metricsServer } from './server.ts'
import { storeMetrics } from './store.ts'

export interface Metrics {
  requests: RequestObserver
  server: MetricsServer
  watchStore(store: OrderStore): void
  watchConnections(limits: Pick<Limits, 'connections'>): void
  /** @param lost the number of lost spans */
  watchSpans(lost: () => number): void
  /** For the metrics of other parts. */
  counter(options: ScrapedOptions): void
  gauge(options: ScrapedOptions): void
}

export interface MetricsSources {
  /** Of this service. */
  version: string
  /** That it was built from. */
  commit: string
  keys: LiveKeys
  /** Counts the log lines that were lost. */
  lostLines(): number
  /** Writes a warning to the log. */
  report(message: string): void
}

/** They list every socket on each scrape, and three of them have the name of a counter. */
const unwanted = ['handles', 'requests', 'resources'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

const lostSpans = { name: 'store_orders_spans_lost_total', help: 'Spans that the collector did not get.' }

export function openMetrics({ version, commit, keys, lostLines, report }: MetricsSources): Metrics {
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
    help: 'The version and the commit of this service, and the version of Node.js; always 1.',
    read: () => [{ labels: { version, commit, node_version: process.versions.node }, value: 1 }],
  })
  gauge(registry, {
    name: 'store_orders_clock_timestamp_seconds',
    help: 'What the clock of this machine shows.',
    read: () => [{ value: Date.now() / 1000 }],
  })
  keyMetrics(registry, keys)
  return {
    requests: requestMetrics(registry, keys),
    server: metricsServer(registry, report),
    watchStore: (store) => storeMetrics(registry, store),
    watchConnections: (limits) => connectionMetrics(registry, limits),
    watchSpans: (lost) => counter(registry, { ...lostSpans, read: () => [{ value: lost() }] }),
    counter: (options) => counter(registry, options),
    gauge: (options) => gauge(registry, options),
  }
}
