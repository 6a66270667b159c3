// Metrics in prom-client's registry: histograms that are cheap to observe, and values that are read on each scrape.
import { type Channel, subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Metric, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

export interface Sample {
  labels?: Labels
  value: number
}

/** If it rejects, the metric has no samples; if it takes too long, the previous ones. */
type Read = () => Samples | Promise<Samples>
type Samples = number | readonly Sample[]

/** Prometheus drops a scrape after ten seconds, with all that is known. */
const READ_TIMEOUT_MS = 1_500

/** Adds a value to its series. */
export type Observe = (value: number) => void

interface Series {
  labels: Labels
  /** How many values each bucket has that are not in an earlier one; the last has those above all bounds. */
  counts: Float64Array
  sum: number
}

export type Metrics = ReturnType<typeof metricsIn>

export function metricsIn(registry: Registry) {
  /** A metric object instead of prom-client's classes, which accumulate values. */
  function register(name: string, help: string, type: string, valuesOf: () => Promise<readonly object[]>) {
    const metric = { name, help, type, aggregator: 'sum', get: async () => ({ ...metric, values: await valuesOf() }) }
    registry.registerMetric(metric as unknown as Metric)
  }

  const scraped = (type: 'counter' | 'gauge') => (name: string, help: string, read: Read) => {
    const readInTime = limited(read)
    register(name, help, type, async () => {
      const samples = await readInTime()
      return typeof samples === 'number'
        ? [{ labels: {}, value: samples }]
        : samples.map(({ labels = {}, value }) => ({ labels, value }))
    })
  }
  const counter = scraped('counter')

  return {
    counter,
    gauge: scraped('gauge'),

    /** Counts the messages of a channel, which are the values of a label. */
    countMessages(name: string, help: string, label: string, channel: Channel, values: readonly unknown[]) {
      const counts = countsOf(values.map(String))
      subscribe(channel.name, (value) => increment(counts, String(value)))
      counter(name, help, () => samplesOf(label, counts))
    },

    /** prom-client's own histogram takes 2 µs per value, since it hashes the labels each time. */
    histogram(name: string, help: string, bounds: readonly number[]) {
      const all: Series[] = []
      register(name, help, 'histogram', async () => all.flatMap((series) => valuesOf(name, bounds, series)))
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
    },
  }
}

/** Has at most one read under way. */
function limited(read: Read): () => Promise<Samples> {
  let last: Samples = []
  let reading: Promise<Samples> | undefined
  function settle(samples: Samples) {
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

/** A count for each value that occurs, from the start on: rates are differences. */
export const countsOf = <Key>(keys: readonly Key[]) => new Map(keys.map((key) => [key, 0]))

export function increment<Key>(counts: Map<Key, number>, key: Key, by = 1) {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

/** A sample for each value of a label. */
export function samplesOf(label: string, values: Iterable<readonly [string, number]>): Sample[] {
  return [...values].map(([key, value]) => ({ labels: { [label]: key }, value }))
}
