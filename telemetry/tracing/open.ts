// Sends the traces of a process to an OpenTelemetry collector. Loaded only if they are configured.
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
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
import { ProxyAgent, type ProxyEnv } from 'custom-domains/proxy-agent'
import { type Report, reportingExporter } from './exporter.ts'
import { requestSpans } from './requests.ts'
import { statementSpans } from './statements.ts'

export interface TracingOptions {
  /** The version of this service. */
  version: string
  /** Where spans are posted. */
  url: string
  sampler: SamplerName
  /** The part of all traces that samplers by ratio record, from 0 to 1. */
  ratio: number
  /** Milliseconds between two exports. */
  exportEvery: number
  /** Proxies to the collector, as Node.js's agents take them. */
  proxyEnv?: ProxyEnv | undefined
  report: Report
}

export type SamplerName = `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`

/** An unreachable collector must not delay the end of the process. */
const CLOSE_MS = 2_000

/** Clients choose the path, and the name of their program. */
const MAX_ATTRIBUTE_LENGTH = 2_048

/** The exporter reads the headers and the timeout from OTEL_EXPORTER_OTLP_* itself. */
export function openTracing(options: TracingOptions) {
  const { version, url, sampler, ratio, exportEvery, proxyEnv, report } = options
  const agentOptions = { keepAlive: true, proxyEnv }
  const httpAgentOptions = (protocol: string) =>
    /* c8 ignore next -- a test needs a Node.js that knows proxies */
    protocol === 'https:' ? new ProxyAgent(agentOptions) : new Agent(agentOptions)
  const exporter = reportingExporter(new OTLPTraceExporter({ url, httpAgentOptions }), report)
  reportOthers(report, exporter.addLost)
  const named = resourceFromAttributes({
    'service.name': 'store-orders',
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  const provider = new TracerProvider({
    sampler: samplerOf(sampler, ratio),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEvery })],
  })
  const tracer = provider.getTracer('store-orders')
  const statements = statementSpans(tracer)
  return {
    requests: requestSpans(tracer, statements),
    /** Records spans of statements to the database from now on. */
    watchStatements: statements.watch,
    /** How many spans were lost since the start. */
    lost: exporter.lost,
    /** Exports the remaining spans, unless the collector takes too long. */
    async close() {
      statements.close()
      const late = sleep(CLOSE_MS, undefined, { ref: false })
      await Promise.race([Promise.allSettled([provider.shutdown()]), late])
      diag.disable()
    },
  }
}

function samplerOf(name: SamplerName, ratio: number): Sampler {
  const roots: Record<string, Sampler> = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(ratio),
  }
  const root = roots[name.replace('parentbased_', '')] as Sampler
  return root === roots[name] ? root : new ParentBasedSampler({ root })
}

/** OpenTelemetry reports an error as JSON with its stack. */
function reasonIn(message: string): string {
  const reason = message.replace(/^.*?"message":\s*"((?:[^"\\]|\\.)*)".*$/s, '$1')
  return reason.replace(/\s+/g, ' ').slice(0, 300)
}

/** Reports OpenTelemetry's own messages, each once in a row. They tell how many spans did not fit into its queue. */
function reportOthers(report: Report, addLost: (count: number) => void) {
  let last = ''
  const reportNew = (message: string) => {
    const reason = reasonIn(message)
    /* c8 ignore next 2 -- spans are dropped, or lost again and again, only where the machine is crowded */
    addLost(Number(/^Dropped (\d+) spans/.exec(reason)?.[1] ?? 0))
    if (reason !== last) report('warn', reason)
    last = reason
  }
  const logger = { error: reportNew, warn: reportNew, info: reportNew, debug: reportNew, verbose: reportNew }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
