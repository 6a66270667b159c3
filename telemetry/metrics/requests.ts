// Metrics of requests: durations by route and status, requests by key, bytes of lists by encoding.
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { histogram, type Observe } from './histogram.ts'
import { counter } from './scraped.ts'
import { type Timed, time } from './timing.ts'

/** Seconds. Those of OpenTelemetry's stable conventions for `http.server.request.duration`. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Keys with a series of their own; all others share one. */
const MOST_KEYS = 1000
const OTHER = 'other'
/** Input that the parser rejects reaches no route, so the app publishes the status of the response. */
const REQUEST_REJECTED = 'store-orders.request-rejected'
const parserStatuses = [400, 408, 413, 414, 431, 501]

export interface RequestMetrics {
  began(reply: FastifyReply): void
  /** `isCutOff` if the connection was lost before the response was complete. */
  ended(request: FastifyRequest, reply: FastifyReply, isCutOff: boolean): void
}

interface Times {
  duration: Observe
  headers: Observe
}

interface Lists {
  encoding: string
  responses: number
  bytes: number
}

type Config = FastifyRequest['routeOptions']['config']

export function requestMetrics(registry: Registry): RequestMetrics {
  const durations = histogram(registry, {
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of a request to the last byte of its response.',
    bounds,
  })
  const headers = histogram(registry, {
    name: 'http_server_time_to_headers_seconds',
    help: 'Time from the arrival of a request to the headers of its response, however slowly its client reads.',
    bounds,
  })
  const byRoute = new Map<Config, Map<string, Map<number, Times>>>()
  const byLabels = new Map<string, Times>()
  const lists = new Map(
    ['identity', 'gzip'].map((encoding): [string, Lists] => [encoding, { encoding, responses: 0, bytes: 0 }]),
  )
  const keys = new Map<string, number>()
  const rejected = new Map(parserStatuses.map((status) => [status, 0]))
  const countRejected = (status: unknown) => rejected.set(status as number, (rejected.get(status as number) ?? 0) + 1)
  subscribe(REQUEST_REJECTED, countRejected)
  let aborted = 0

  counter(registry, {
    name: 'store_orders_aborted_requests_total',
    help: 'Requests whose connection was lost before the response was complete.',
    read: () => [{ value: aborted }],
  })
  counter(registry, {
    name: 'store_orders_rejected_requests_total',
    help: 'Requests that the HTTP parser rejected, by the status of the response.',
    read: () =>
      [...rejected].map(([status, value]) => ({ labels: { http_response_status_code: String(status) }, value })),
  })
  counter(registry, {
    name: 'store_orders_key_requests_total',
    help: 'Requests by the name of their API key.',
    read: () => [...keys].map(([key, value]) => ({ labels: { key }, value })),
  })
  counter(registry, {
    name: 'store_orders_list_responses_total',
    help: 'Lists of orders sent.',
    read: () => [...lists.values()].map(({ encoding, responses }) => ({ labels: { encoding }, value: responses })),
  })
  counter(registry, {
    name: 'store_orders_list_bytes_total',
    help: 'Bytes of the lists of orders sent.',
    read: () => [...lists.values()].map(({ encoding, bytes }) => ({ labels: { encoding }, value: bytes })),
  })

  function timesOf(config: Config, method: string, status: number): Times {
    return byRoute.get(config)?.get(method)?.get(status) ?? newTimes(config, method, status)
  }

  /** Several routes may have the same labels. */
  function newTimes(config: Config, method: string, status: number): Times {
    const labels = {
      http_request_method: method,
      http_route: config.url?.replace(/:(\w+)/g, '{$1}') ?? '',
      http_response_status_code: String(status),
      ...(status >= 500 && { error_type: String(status) }),
    }
    const key = Object.values(labels).join(' ')
    const times = byLabels.get(key) ?? { duration: durations(labels), headers: headers(labels) }
    byLabels.set(key, times)
    const byMethod = byRoute.get(config) ?? new Map<string, Map<number, Times>>()
    const byStatus = byMethod.get(method) ?? new Map<number, Times>()
    byRoute.set(config, byMethod.set(method, byStatus.set(status, times)))
    return times
  }

  function countList(reply: FastifyReply) {
    const encoding = String(reply.getHeader('content-encoding') ?? 'identity')
    const sent = lists.get(encoding) ?? { encoding, responses: 0, bytes: 0 }
    sent.responses++
    sent.bytes += Number(reply.getHeader('content-length'))
    lists.set(encoding, sent)
  }

  function countKey(name: string) {
    const key = keys.has(name) || keys.size < MOST_KEYS ? name : OTHER
    keys.set(key, (keys.get(key) ?? 0) + 1)
  }

  return {
    began: ({ raw }) => time(raw),
    ended(request, reply, isCutOff) {
      const { config } = request.routeOptions
      if (config.isProbe) return
      if (isCutOff) {
        aborted++
        return
      }
      const { method, keyName } = request
      const { beganAt, headersAt } = reply.raw as Timed
      const { duration, headers } = timesOf(config, method, reply.statusCode)
      duration((performance.now() - beganAt) / 1000)
      headers((headersAt - beganAt) / 1000)
      if (keyName !== undefined) countKey(keyName)
      const isList = method === 'GET' && reply.statusCode === 200 && config.operation?.operationId === 'listOrders'
      if (isList) countList(reply)
    },
  }
}
