// Logs, metrics and traces. Other parts import this file only; what a process does not use is never loaded.
import type { Metrics } from './metrics/open.ts'
import type { Tracing, TracingOptions } from './tracing/open.ts'

export { type LogDestination, logDestination, loggerOptions } from './log.ts'
export type { Metrics } from './metrics/open.ts'
export type { Sample } from './metrics/scraped.ts'
export { type RequestLogOptions, type RequestObserver, requestLog } from './request-log.ts'

export async function openMetrics(): Promise<Metrics> {
  const metrics = await import('./metrics/open.ts')
  return metrics.openMetrics()
}

export async function openTracing(
  config: Omit<TracingOptions, 'report'>,
  report: (level: 'warn', message: string) => void,
): Promise<Tracing> {
  const tracing = await import('./tracing/open.ts')
  return tracing.openTracing({ ...config, report: (message) => report('warn', `traces: ${message}`) })
}
