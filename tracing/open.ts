// The traces of a process, sent to an OpenTelemetry collector. Loaded only if they are configured.
import { setTimeout as sleep } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type RequestSpans, requestSpans } from './spans.ts'

export interface TracingOptions {
  sampler: SamplerName
  /** For the samplers by ratio, from 0 to 1. */
  ratio: number
  /** Milliseconds between two exports. */
  exportEvery: number
  /** Called when spans cannot be exported, once for each reason in a row. */
  report(message: string): void
}

export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

export interface Tracing {
  requests: RequestSpans
  /** Exports what is left, unless the collector takes too long. */
  close(): Promise<void>
}

/** A collector that is away must not hold up the end of the process. */
const CLOSE_MS = 2_000

/** The exporter reads OTEL_EXPORTER_OTLP_* itself. */
export function openTracing({ sampler, ratio, exportEvery, report }: TracingOptions): Tracing {
  reportOnce(report)
  const named = resourceFromAttributes({ 'service.name': 'store-orders' })
  const provider = new TracerProvider({
    sampler: samplerOf(sampler, ratio),
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: exportEvery })],
  })
  return {
    requests: requestSpans(provider.getTracer('store-orders')),
    async close() {
      const late = sleep(CLOSE_MS, undefined, { ref: false })
      await Promise.race([Promise.allSettled([provider.shutdown()]), late])
      diag.disable()
    },
  }
}

function samplerOf(name: SamplerName, ratio: number): Sampler {
  const [isParentBased, root] = name.startsWith('parentbased_') ? [true, name.slice(12)] : [false, name]
  const roots: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const sampler = (roots[root] as () => Sampler)()
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler
}

function reportOnce(report: TracingOptions['report']) {
  let last = ''
  const tell = (message: string) => {
    const line = message.replace(/\s+/g, ' ').slice(0, 300)
    if (line !== last) report(line)
    last = line
  }
  const logger = { error: tell, warn: tell, info: tell, debug: tell, verbose: tell }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
