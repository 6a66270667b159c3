// One span per request, named after its operation, with the outcome. Hooks have no spans.
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from 'http-edge'
import { OrderList } from '../../store/page.ts'
import { cancelOutcome } from '../cancel-outcome.ts'
import { methodOf, routeOf } from '../conventions.ts'
import type { RequestObserver } from '../request-log.ts'
import type { StatementSpans } from './statements.ts'

/** Spans without an active context, which would cost every request more than a span does. */
export function requestSpans(tracer: Tracer, statements: Pick<StatementSpans, 'within'>): RequestObserver {
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<FastifyReply, Span>()

  return {
    began(reply) {
      const { headers, routeOptions, method } = reply.request
      const { operation, url = '', isProbe } = routeOptions.config
      if (isProbe) return
      const isTraced = headers.traceparent !== undefined
      const parent = isTraced ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter) : ROOT_CONTEXT
      const name = operation?.id ?? `${methodOf(method).replace('_OTHER', 'HTTP')} ${url}`.trimEnd()
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent)
      if (span.isRecording() || trace.getSpanContext(parent)) spans.set(reply, span)
    },

    ended(request, reply, isAborted) {
      const span = spans.get(reply)
      if (!span?.isRecording()) return
      const { statusCode } = reply
      const isFailed = isAborted || statusCode >= 500
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttributes({
        ...requestAttributes(request),
        ...(!isAborted && { 'http.response.status_code': statusCode }),
        ...(isFailed && { 'error.type': isAborted ? 'aborted' : String(statusCode) }),
        ...outcomeAttributes(request, reply),
      })
      span.end()
    },

    around: (reply, handle) => statements.within(spans.get(reply), handle),
    traceIdOf: (reply) => spans.get(reply)?.spanContext().traceId,
  }
}

/** OpenTelemetry's stable conventions for HTTP servers. */
function requestAttributes(request: FastifyRequest) {
  const { method, routeOptions, url, protocol, host, headers, raw, ip, id, keyName } = request
  const { config } = routeOptions
  return {
    'http.request.method': methodOf(method),
    ...(methodOf(method) !== method && { 'http.request.method_original': method }),
    ...(config.url !== undefined && { 'http.route': routeOf(config) }),
    'url.path': url.replace(/\?.*/s, ''),
    'url.scheme': protocol,
    ...serverAttributes(host, protocol),
    'network.protocol.version': raw.httpVersion.replace('.0', ''),
    ...(headers['user-agent'] !== undefined && { 'user_agent.original': headers['user-agent'] }),
    'client.address': addressOf(ip),
    'store_orders.request_id': id,
    ...(keyName !== undefined && { 'store_orders.key': keyName }),
  }
}

/** @param host as in the Host header, `[::1]:3000` */
function serverAttributes(host: string, scheme: string) {
  const [, address, name, port] = /^(?:\[(.+)\]|([^:]*)):?(\d*)$/.exec(host) ?? []
  const server = address || name
  return server ? { 'server.address': server, 'server.port': Number(port) || (scheme === 'https' ? 443 : 80) } : {}
}

function outcomeAttributes({ routeOptions }: FastifyRequest, reply: FastifyReply) {
  const { output } = reply
  if (output?.body instanceof OrderList) {
    const { pages } = output.body
    return {
      'store_orders.list.pages': pages.length,
      'store_orders.list.orders': pages.reduce((sum, { count }) => sum + count, 0),
    }
  }
  const outcome = cancelOutcome(routeOptions.config, reply)
  return outcome === undefined ? {} : { 'store_orders.cancel.outcome': outcome }
}
