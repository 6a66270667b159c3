// Reports an outage of the collector when it begins, when its cause changes and when it ends, and counts the lost spans.
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

export type Report = (level: 'info' | 'warn', message: string) => void

export function reportingExporter(exporter: SpanExporter, report: Report) {
  let reported: string | undefined
  let lost = 0
  let lostInOutage = 0

  /** Counts spans that never reached the collector. */
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
    /** How many spans were lost since the start. */
    lost: () => lost,
    export(...[spans, done]: Parameters<SpanExporter['export']>) {
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
