// The metrics of a process. Loaded only if they are configured.
import process from 'node:process'
import type { ConnectionLimits } from 'http-edge'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { LiveKeys } from '../../config/keys/key-set.ts'
import type { OrderStore } from '../../store/order-store.ts'
import { keyMetrics } from './keys.ts'
import { requestMetrics } from './requests.ts'
import { metricsIn } from './series.ts'
import { metricsServer } from './server.ts'
import { storeMetrics } from './store.ts'

export interface MetricsSources {
  /** The version of this service. */
  version: string
  /** The commit that it was built from. */
  commit: string
  keys: Omit<LiveKeys, 'find' | 'replace'>
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

export function openMetrics({ version, commit, keys, lostLines, report }: MetricsSources) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry }) // CPU, memory, garbage collection, event-loop delay
  for (const name of unwanted) registry.removeSingleMetric(name)
  const metrics = metricsIn(registry)
  const { counter, gauge } = metrics
  counter('store_orders_log_lines_lost_total', 'Log lines that could not be written.', lostLines)
  gauge(
    'store_orders_build_info',
    'The version and the commit of this service, and the version of Node.js; always 1.',
    () => [{ labels: { version, commit, node_version: process.versions.node }, value: 1 }],
  )
  gauge('store_orders_clock_timestamp_seconds', 'What the clock of this machine shows.', () => Date.now() / 1000)
  keyMetrics(metrics, keys)
  return {
    ...metrics,
    requests: requestMetrics(metrics, keys),
    server: metricsServer(registry, report),
    watchStore: (store: OrderStore) => storeMetrics(metrics, store),
    /** Measures the connections of clients on all ports except the metrics' own. */
    watchConnections({ connections }: Pick<ConnectionLimits, 'connections'>) {
      gauge('store_orders_connections_open', 'Open connections of clients.', () => connections().open)
      gauge(
        'store_orders_connections_max',
        'The most connections of clients, by the descriptor limit.',
        () => connections().max,
      )
      counter(
        'store_orders_connections_refused_total',
        'Connections that were closed at once, as there were too many.',
        () => connections().refused,
      )
    },
    watchStalls: (seconds: () => number) =>
      counter(
        'store_orders_stalled_seconds_total',
        'Time that the process stood still, a second or more at once.',
        seconds,
      ),
    /** @param lost the number of lost spans */
    watchSpans: (lost: () => number) =>
      counter('store_orders_spans_lost_total', 'Spans that the collector did not get.', lost),
  }
}
