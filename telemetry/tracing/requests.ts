// One span per request, named after its operation, with the outcome. Hooks have no spans.
import {
  type Context,
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
import { normalizeIp } from 'http-edge/addresses'
import { OrderList } from '../../store/page.ts'
import { cancelOutcome, methodOf, routeOf } from '../operation.ts'
import type { RequestObserver } from '../request-log.ts'
import type { StatementSpans } from './statements.ts'

/** Spans without an active context, which would cost every request more than a span does. */
export function requestSpans(tracer: Tracer, statements: Pick<StatementSpans, 'within'>): RequestObserver {
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<FastifyReply, Span>()
  /** When requests that continue a trace arrived, until it is known whose they are; in milliseconds since the epoch. */
  const arrivals = new WeakMap<FastifyReply, number>()

  function start(reply: FastifyReply, parent: Context, startTime?: number) {
    const { routeOptions, method } = reply.request
    const { operation, url = '' } = routeOptions.config
    const name = operation?.id ?? `${methodOf(method).replace('_OTHER', 'HTTP')} ${url}`.trimEnd()
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, ...(startTime && { startTime }) }, parent)
    if (span.isRecording() || trace.getSpanContext(parent)) spans.set(reply, span)
  }

  /** A stranger's trace is not continued: else anyone could have all requests recorded. */
  function spanOf(reply: FastifyReply): Span | undefined {
    const { apiKey, headers } = reply.request
    const arrival = arrivals.get(reply)
    if (arrivals.delete(reply)) {
      start(reply, apiKey ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter) : ROOT_CONTEXT, arrival)
    }
    return spans.get(reply)
  }

  return {
    began(reply) {
      const { headers, routeOptions } = reply.request
      if (routeOptions.config.isProbe) return
      if (headers.traceparent === undefined) start(reply, ROOT_CONTEXT)
      else arrivals.set(reply, performance.timeOrigin + performance.now())
    },

    ended(request, reply, isAborted) {
      const span = spanOf(reply)
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

    around: (reply, handle) => statements.within(spanOf(reply), handle),
    traceIdOf: (reply) => spanOf(reply)?.spanContext().traceId,
  }
}

/** OpenTelemetry's stable conventions for HTTP servers. */
function requestAttributes(request: FastifyRequest) {
  const { method, routeOptions, url, protocol, host, headers, raw, ip, id, apiKey } = request
  const { config } = routeOptions
  return {
    'http.request.method': methodOf(method),
    ...(methodOf(method) !== method && { 'http.request.method_original': method }),
    ...(config.url !== undefined && { 'http.route': routeOf(config) }),
    'url.path': url.replace(/\?.*/s, ''),
    'url.scheme': protocol,
    ...serverAttributes(host, protocol),
    'network.protocol.version': raw.httpVersion.replace('2.0', '2'),
    ...(headers['user-agent'] !== undefined && { 'user_agent.original': headers['user-agent'] }),
    'client.address': normalizeIp(ip),
    'store_orders.request_id': id,
    ...(apiKey && { 'store_orders.key': apiKey.name }),
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
