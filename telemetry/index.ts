// Logs, metrics and traces. Other parts import this file only; what a process does not use is never loaded.
import type { FastifyInstance } from 'fastify'
import type { OrderStore } from '../store/order-store.ts'
import type { LogDestination } from './log.ts'
import type { MetricsSources } from './metrics/open.ts'
import { watchStalls } from './stalls.ts'
import type { TracingOptions } from './tracing/open.ts'

export { logDestination, loggerOptions } from './log.ts'
export type { Metrics } from './metrics/series.ts'
export { addObservers, type RequestLogOptions, type RequestObserver, requestLog } from './request-log.ts'
export { openWithoutBlocking } from './standard-output.ts'

interface TelemetryOptions {
  /** Undefined when metrics are off. */
  metrics: { host: string; port: number } | undefined
  /** Undefined when traces are off. */
  tracing: Omit<TracingOptions, 'version' | 'report'> | undefined
  /** The version of this service. */
  version: string
  commit: string
  keys: MetricsSources['keys']
  log: LogDestination
  report(level: 'info' | 'warn', message: string): void
}

export async function startTelemetry(options: TelemetryOptions) {
  const { metrics: address, version, commit, keys, log } = options
  const report = (message: string) => options.report('warn', message)
  const sources = { version, commit, keys, lostLines: log.lost, report }
  const metrics = address && (await import('./metrics/open.ts')).openMetrics(sources)
  const tracing = options.tracing && (await openTracing(options, options.tracing))
  if (tracing) metrics?.watchSpans(tracing.lost)
  return {
    observers: [metrics?.requests, tracing?.requests].filter((observer) => observer !== undefined),
    /** Undefined when metrics are off. */
    metrics,
    /** How many connections may be open to the port of the metrics. */
    maxConnections: metrics?.server.maxConnections ?? 0,
    watchStore(store: OrderStore) {
      metrics?.watchStore(store)
      if (store.connections) tracing?.watchStatements()
    },
    /** Serves the metrics and the app's probes, and watches the process, until the app closes; then exports the last spans. */
    async serve(app: FastifyInstance) {
      const stalls = watchStalls({ report })
      app.addHook('onClose', async () => stalls.close())
      metrics?.watchStalls(stalls.seconds)
      if (tracing) app.addHook('onClose', tracing.close)
      if (!metrics || !address) return
      app.addHook('onClose', metrics.server.close)
      app.log.info(`metrics at ${await metrics.server.listen(address.host, address.port, app)}`)
    },
  }
}

async function openTracing({ version, report }: TelemetryOptions, tracing: NonNullable<TelemetryOptions['tracing']>) {
  const { openTracing } = await import('./tracing/open.ts')
  return openTracing({ ...tracing, version, report: (level, message) => report(level, `traces: ${message}`) })
}
