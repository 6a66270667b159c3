// Metrics of requests: durations by route and status, requests by key, cancellations by outcome, bytes of lists.
import { subscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  addressLimited,
  headWritten,
  heldResources,
  requestRejected,
  requestShed,
  shedReasons,
} from 'http-edge/channels'
import type { LiveKeys } from '../../config/keys/key-set.ts'
import { cancelOutcomes } from '../../store/order-store.ts'
import { OrderList } from '../../store/page.ts'
import { cancelOutcome, methodOf, routeOf } from '../operation.ts'
import type { RequestObserver } from '../request-log.ts'
import { countsOf, increment, type Metrics, type Observe, samplesOf } from './series.ts'

/** Seconds. Those of OpenTelemetry's stable conventions for `http.server.request.duration`. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Keys with a series of their own; all others share one. */
const MAX_KEYS = 1000
const OTHER = 'other'
/** Input that the parser rejects reaches no route. */
const parserStatuses = [400, 408, 413, 414, 431, 501]
const serverErrors = [500, 503]
const encodings = ['identity', 'gzip'] as const

type Config = Pick<FastifyRequest['routeOptions']['config'], 'url' | 'operation' | 'template'>

interface Timed extends ServerResponse {
  beganAt: number
  headersAt: number
}

export function requestMetrics(
  { counter, countMessages, histogram }: Metrics,
  apiKeys: Pick<LiveKeys, 'current'>,
): RequestObserver {
  const durations = histogram(
    'http_server_request_duration_seconds',
    'Time from the arrival of a request to the last byte of its response.',
    bounds,
  )
  const headers = histogram(
    'http_server_time_to_headers_seconds',
    'Time from the arrival of a request to the headers of its response, however slowly its client reads.',
    bounds,
  )({}) // by route, most would say the same as the durations
  const series = new Map<string, Observe>()
  const listResponses = countsOf(encodings)
  const listBytes = countsOf(encodings)
  const cancellations = countsOf(cancelOutcomes)
  const keys = new Map<string, number>()
  let aborted = 0

  counter(
    'store_orders_aborted_requests_total',
    'Requests whose connection was lost before the response was complete.',
    () => aborted,
  )
  countMessages(
    'store_orders_rejected_requests_total',
    'Requests that the HTTP parser rejected, by the status of the response.',
    'http_response_status_code',
    requestRejected,
    parserStatuses,
  )
  countMessages(
    'store_orders_shed_requests_total',
    'Requests rejected while the server was overloaded, by what they would have waited for.',
    'reason',
    requestShed,
    shedReasons,
  )
  countMessages(
    'store_orders_address_limited_total',
    'Connections and requests with a body rejected because their address held its share of them.',
    'resource',
    addressLimited,
    heldResources,
  )
  counter('store_orders_key_requests_total', 'Requests by the name of their API key.', () => {
    for (const { name } of apiKeys.current.values()) {
      if (keys.size >= MAX_KEYS) break
      increment(keys, name, 0)
    }
    return samplesOf('key', keys)
  })
  counter('store_orders_cancellations_total', 'Attempts to cancel an order, by outcome.', () =>
    samplesOf('outcome', cancellations),
  )
  counter('store_orders_list_responses_total', 'Lists of orders sent.', () => samplesOf('encoding', listResponses))
  counter('store_orders_list_bytes_total', 'Bytes of the lists of orders sent.', () => samplesOf('encoding', listBytes))

  subscribe(headWritten.name, noteHeaders)

  function durationOf(config: Config, method: string, scheme: string, status: number): Observe {
    const id = `${method} ${scheme} ${status} ${config.url}`
    const existing = series.get(id)
    if (existing) return existing
    const created = durations({
      http_request_method: method,
      http_route: routeOf(config),
      http_response_status_code: String(status),
      url_scheme: scheme,
      ...(status >= 500 && { error_type: String(status) }),
    })
    series.set(id, created)
    // Rates are differences: the first error counts only if its series was 0 before.
    const { operation, ...route } = config
    if (operation) for (const error of serverErrors) durationOf(route, method, scheme, error)
    return created
  }

  function countList(reply: FastifyReply) {
    const encoding = reply.getHeader('content-encoding') === 'gzip' ? 'gzip' : 'identity'
    increment(listResponses, encoding)
    increment(listBytes, encoding, Number(reply.getHeader('content-length')))
  }

  return {
    began({ raw }) {
      const timed = raw as Timed
      timed.beganAt = performance.now()
      timed.headersAt = 0
    },
    sending: ({ raw }) => noteHeaders(raw),
    ended(request, reply, isAborted) {
      const { method, apiKey, protocol } = request
      const { config } = request.routeOptions
      if (config.isProbe) return
      if (apiKey) increment(keys, keys.has(apiKey.name) || keys.size < MAX_KEYS ? apiKey.name : OTHER)
      const outcome = cancelOutcome(config, reply)
      if (outcome) increment(cancellations, outcome)
      if (isAborted) {
        aborted++
        return
      }
      const { beganAt, headersAt } = reply.raw as Timed
      const scheme = protocol === 'https' ? protocol : 'http' // a proxy may send anything
      const { statusCode } = reply
      // Without a key, anyone can combine every method with every route.
      const isForeign = !apiKey && (method === 'OPTIONS' || (statusCode >= 400 && statusCode < 500))
      const duration = isForeign
        ? durationOf({ url: '' }, '_OTHER', scheme, statusCode)
        : durationOf(config, methodOf(method), scheme, statusCode)
      const now = performance.now()
      duration((now - beganAt) / 1000)
      /* c8 ignore next -- a request that was aborted before its response began has no head */
      headers(((headersAt || now) - beganAt) / 1000)
      const isList = method === 'GET' && statusCode === 200 && reply.output?.body instanceof OrderList
      if (isList) countList(reply)
    },
  }
}

/** Called for every response but one that a handler writes all by itself. */
function noteHeaders(response: unknown) {
  const timed = response as Timed
  timed.headersAt = performance.now()
}
