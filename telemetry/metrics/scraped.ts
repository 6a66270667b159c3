// Counters and gauges whose values are read when they are scraped.
import type { Metric, Registry } from 'prom-client'

export interface Sample {
  labels?: Readonly<Record<string, string>>
  value: number
}

export interface ScrapedOptions {
  name: string
  help: string
  /** If it rejects, the metric has no samples. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

export const counter = (registry: Registry, options: ScrapedOptions) => register(registry, 'counter', options)
export const gauge = (registry: Registry, options: ScrapedOptions) => register(registry, 'gauge', options)

/** A metric object instead of prom-client's classes, which accumulate values: these are read anew on each scrape. */
function register(registry: Registry, type: 'counter' | 'gauge', { read, ...options }: ScrapedOptions): void {
  const metric = {
    ...options,
    type,
    aggregator: 'sum',
    async get() {
      const samples = await Promise.resolve()
        .then(read)
        .catch(() => [])
      return { ...metric, values: samples.map(({ labels = {}, value }) => ({ labels, value })) }
    },
  }
  registry.registerMetric(metric as unknown as Metric)
}
