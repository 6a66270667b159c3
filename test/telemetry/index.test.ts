// What a process counts and reports of its log and traces.
import t from 'tap'
import { capturedLog } from 'test-kit/captured-log'
import { until } from 'test-kit/until'
import { startTelemetry } from '../../telemetry/index.ts'
import type { LogDestination } from '../../telemetry/log.ts'
import { build, keys } from '../fixtures/app.ts'
import { collector } from './collector.ts'
import { samplesIn } from './metrics/scrape.ts'

t.test('lost lines, lost spans and stalls are counted, and what fails of traces says so', async (t) => {
  const { url, respondWith } = await collector(t)
  respondWith(400)
  const reports: string[] = []
  const { serve, observers } = await startTelemetry({
    metrics: { host: '127.0.0.1', port: 0 },
    tracing: { url: `${url}/v1/traces`, sampler: 'always_on', ratio: 1, exportEvery: 1 },
    ...{ version: '1.2.3', commit: 'abc', keys, log: { lost: () => 3 } as LogDestination },
    report: (_level, message) => reports.push(message),
  })
  const { lines, logger } = capturedLog()
  const app = await build(t, { logger, observers })
  await serve(app)
  await app.inject('/docs')
  await until(() => reports.length > 0)
  t.match(reports, [/^traces: spans are lost: /])
  const [, address = ''] = lines.flatMap(({ msg }) => /^metrics at (\S+)$/.exec(String(msg)) ?? [])
  const found = samplesIn(await (await fetch(address)).text())
  const counted = ['log_lines_lost', 'spans_lost', 'stalled_seconds'].map((name) => `store_orders_${name}_total`)
  const values = counted.map((name) => found.get(name))
  t.match(values, [3, 1, 0])
})
