// Spans of statements to PostgreSQL, each within the span of the request that sends it. A statement that serves several
// requests belongs to one of them.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { type Statement, statementSent } from '../../store/channels.ts'

export type StatementSpans = ReturnType<typeof statementSpans>

export function statementSpans(tracer: Tracer) {
  const requests = new AsyncLocalStorage<Span>()
  let isWatching = false

  function observe(message: unknown) {
    const request = requests.getStore()
    if (!request?.isRecording()) return
    const { name, result } = message as Statement
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, request))
    result.then(
      () => span.end(),
      ({ code = '_OTHER' }) => {
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', code) // SQLSTATE, or the system's
        span.end()
      },
    )
  }

  return {
    watch() {
      isWatching = true
      subscribe(statementSent.name, observe)
    },
    /**
     * Calls a function whose statements belong to the request of the span. Without statements to watch, requests need no
     * context, which costs more than a span.
     */
    within: (request: Span | undefined, run: () => void) =>
      isWatching && request?.isRecording() ? requests.run(request, run) : run(),
    close: () => unsubscribe(statementSent.name, observe),
  }
}
