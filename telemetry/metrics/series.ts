// Metrics for prom-client's registry: histograms that are cheap to observe, and values that are read on each scrape.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

export interface Sample {
  labels?: Labels
  value: number
}

export interface ScrapedOptions {
  name: string
  help: string
  /** If it rejects, the metric has no samples; if it takes too long, those of the last time. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

export const counter = (registry: Registry, options: ScrapedOptions) => register(registry, 'counter', options)
export const gauge = (registry: Registry, options: ScrapedOptions) => register(registry, 'gauge', options)

/** In milliseconds. Prometheus drops a scrape after ten seconds, with all that is known. */
const READ_TIMEOUT_MS = 1_500

/** A metric object instead of prom-client's classes, which accumulate values. */
function register(registry: Registry, type: string, { read, ...options }: ScrapedOptions): void {
  const readInTime = limited(read)
  const metric = {
    ...options,
    type,
    aggregator: 'sum',
    async get() {
      const samples = await readInTime()
      return { ...metric, values: samples.map(({ labels = {}, value }) => ({ labels, value })) }
    },
  }
  registry.registerMetric(metric as unknown as Metric)
}

/** Has at most one read under way. */
function limited(read: ScrapedOptions['read']): () => Promise<readonly Sample[]> {
  let last: readonly Sample[] = []
  let reading: Promise<readonly Sample[]> | undefined
  function settle(samples: readonly Sample[]) {
    last = samples
    reading = undefined
    return samples
  }
  return () => {
    reading ??= Promise.resolve()
      .then(read)
      .then(settle, () => settle([]))
    return Promise.race([reading, sleep(READ_TIMEOUT_MS, undefined, { ref: false }).then(() => last)])
  }
}

/** Adds a value to its series. */
export type Observe = (value: number) => void

interface Series {
  labels: Labels
  /** By bucket, values not in an earlier one; the last is for those above all bounds. */
  counts: Float64Array
  sum: number
}

/** prom-client's own histogram takes 2 µs per value, since it hashes the labels each time. */
export function histogram(registry: Registry, options: { name: string; help: string; bounds: readonly number[] }) {
  const { name, help, bounds } = options
  const all: Series[] = []
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: all.flatMap((series) => valuesOf(name, bounds, series)) }),
  }
  registry.registerMetric(metric as unknown as Metric)

  return function seriesOf(labels: Labels): Observe {
    const series = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 }
    all.push(series)
    return (value) => {
      let at = 0
      while (value > (bounds[at] as number)) at++ // NaN past the last bound, which nothing exceeds
      series.counts[at] = (series.counts[at] as number) + 1
      series.sum += value
    }
  }
}

function valuesOf(name: string, bounds: readonly number[], { labels, counts, sum }: Series) {
  let count = 0
  const buckets = [...counts].map((each, at) => {
    count += each
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(bounds[at] ?? '+Inf') }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
