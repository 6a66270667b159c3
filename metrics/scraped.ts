// Counters and gauges whose values are read when they are scraped.
import { Counter, Gauge, type Registry } from 'prom-client'

export interface Sample {
  labels?: Readonly<Record<string, string>>
  value: number
}

interface Options {
  name: string
  help: string
  labelNames?: readonly string[]
  /** If it rejects, the metric has no samples. */
  read(): readonly Sample[] | Promise<readonly Sample[]>
}

export function counter(registry: Registry, { read, ...options }: Options): void {
  const metric: Counter = new Counter({
    ...options,
    registers: [registry],
    collect: () => refresh(metric, read, (labels, value) => metric.inc(labels, value)),
  })
}

export function gauge(registry: Registry, { read, ...options }: Options): void {
  const metric: Gauge = new Gauge({
    ...options,
    registers: [registry],
    collect: () => refresh(metric, read, (labels, value) => metric.set(labels, value)),
  })
}

type Write = (labels: NonNullable<Sample['labels']>, value: number) => void

async function refresh(metric: Pick<Gauge, 'reset' | 'remove'>, read: Options['read'], write: Write): Promise<void> {
  const samples = await Promise.resolve()
    .then(read)
    .catch(() => [])
  metric.reset()
  metric.remove({}) // without labels, a reset leaves a 0
  for (const { labels = {}, value } of samples) write(labels, value)
}
