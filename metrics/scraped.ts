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

export function counter(registry: Registry, { name, help, labelNames = [], read }: Options): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = await reading(read)
      this.reset()
      for (const { labels = {}, value } of samples) this.inc(labels, value)
    },
  })
}

export function gauge(registry: Registry, { name, help, labelNames = [], read }: Options): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = await reading(read)
      this.reset()
      for (const { labels = {}, value } of samples) this.set(labels, value)
    },
  })
}

async function reading(read: Options['read']): Promise<readonly Sample[]> {
  try {
    return await read()
  } catch {
    return []
  }
}
