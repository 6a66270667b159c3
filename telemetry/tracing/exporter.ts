// Reports an outage of the collector when it begins, when its cause changes and when it ends, and counts the lost spans.
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

export type Report = (level: 'info' | 'warn', message: string) => void

interface ReportingExporter extends SpanExporter {
  /** Counts spans that never reached the exporter. */
  addLost(count: number): void
  /** Since the start. */
  lost(): number
}

export function reportingExporter(exporter: SpanExporter, report: Report): ReportingExporter {
  let reported: string | undefined
  let lost = 0
  let lostInOutage = 0

  function addLost(count: number) {
    lost += count
    lostInOutage += count
  }

  function observe({ code, error }: ExportResult, count: number) {
    if (code === ExportResultCode.SUCCESS) {
      if (reported !== undefined) report('info', `spans are exported again; ${lostInOutage} were lost`)
      reported = undefined
      lostInOutage = 0
      return
    }
    addLost(count)
    const reason = reasonOf(error as Error)
    if (reason !== reported) report('warn', `spans are lost: ${reason}`)
    reported = reason
  }

  return {
    addLost,
    lost: () => lost,
    export(spans, done) {
      exporter.export(spans, (result) => {
        observe(result, spans.length)
        done({ code: ExportResultCode.SUCCESS }) // else the processor reports it, too
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** @param error of an exporter over HTTP: its code is the status, or the system's, and a failure always has one */
function reasonOf({ message, code }: Error & { code?: unknown }): string {
  if (typeof code !== 'number') return message || String(code)
  const advice = code >= 300 && code < 400 ? ': configure the address that it redirects to' : ''
  return `the collector responds with ${code} ${message}${advice}`
}
