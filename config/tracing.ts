// The configuration of traces, by OpenTelemetry's specification: invalid values are ignored, with a warning, since
// platforms set these variables for every process. While traces are off, nothing else is read.
import { proxyEnvOf } from './proxies.ts'
import type { Reader } from './variables/reader.ts'

const DEFAULT_ENDPOINT = 'http://localhost:4318'

/** Undefined when traces are off. The exporter reads its headers and timeout itself. */
export function tracingOf(reader: Reader) {
  const { readOrWarn, warn } = reader
  if (readOrWarn('OTEL_SDK_DISABLED')) return undefined
  const url = readOrWarn('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? tracesUrl(readOrWarn('OTEL_EXPORTER_OTLP_ENDPOINT'))
  const exporters = readOrWarn('OTEL_TRACES_EXPORTER') ?? (url ? ['otlp'] : [])
  for (const name of exporters)
    if (name !== 'otlp' && name !== 'none') warn(`OTEL_TRACES_EXPORTER: ${name} is not supported; it has no effect`)
  if (!exporters.includes('otlp')) return undefined
  if (readOrWarn('OTEL_EXPORTER_OTLP_PROTOCOL') === 'grpc')
    warn('OTEL_EXPORTER_OTLP_PROTOCOL: grpc is not supported; traces are sent over HTTP, as JSON')
  return {
    url: url ?? (tracesUrl(DEFAULT_ENDPOINT) as string),
    sampler: readOrWarn('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on',
    ratio: readOrWarn('OTEL_TRACES_SAMPLER_ARG') ?? 1,
    exportEvery: readOrWarn('OTEL_BSP_SCHEDULE_DELAY') ?? 5000,
    proxyEnv: proxyEnvOf(reader.env),
  }
}

function tracesUrl(endpoint: string | undefined): string | undefined {
  return endpoint && `${endpoint.replace(/\/$/, '')}/v1/traces`
}
