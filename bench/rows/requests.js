// Rows of requests.
import { OURS } from '../servers.js'

const specFirst = ['glue', 'express-openapi-validator', 'openapi-backend', 'hono-zod-openapi']
const perRequest = ['fastify-map', ...specFirst]

const ours = { name: OURS, peer: OURS }
const raw = { name: 'raw', peer: 'raw' }
const buffer = { name: 'fastify-buffer', peer: 'fastify-buffer' }
const peersOf = (...names) => names.map((name) => ({ name, peer: name }))

/** @type {Pick<import('./index.js').Row, 'method' | 'unit'>} */
const requests = { method: 'requests', unit: 'requests/s' }
const sameHeaders = 'fastify-map, same headers'
const withLog = { LOG_LEVEL: 'info' }
/** Nothing listens there: what a span costs the server is measured, not what a collector does on the same core. */
const withTraces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.01',
}

/**
 * A GET of lists from 10 to 1,000,000 orders, by everyone.
 * @param {number} orders
 * @param {import('./index.js').Target[]} targets
 */
function list(orders, targets) {
  const [connections, lasts] = orders < 1_000_000 ? [16, 1] : [4, 2]
  // A server that serializes per request handles one at a time: over one connection its figure is exact, and no worse.
  const each = orders < 100_000 ? connections : 1
  return {
    name: `get-${orders}`,
    title: `GET ${orders.toLocaleString('en')} orders`,
    ...requests,
    orders,
    lasts,
    isGrowth: true,
    entries: [
      ...[ours, raw, buffer, ...peersOf('nginx')].map((entry) => ({ ...entry, connections })),
      ...peersOf(...perRequest).map((entry) => ({ ...entry, connections: each })),
    ],
    targets,
  }
}

/** @type {import('./index.js').Row[]} */
export const requestRows = [
  list(10, [
    { of: ['fastify-buffer'], isCpu: true, atMost: 1.15 },
    { of: ['fastify-buffer'], atLeast: 0.85 },
    { of: specFirst, atLeast: 2 },
    { of: ['raw'] },
  ]),
  list(1000, [
    { of: ['fastify-buffer'], isCpu: true, atMost: 1.1 },
    { of: ['fastify-buffer'], atLeast: 0.85 },
    { of: specFirst, atLeast: 10 },
    { of: ['raw'] },
  ]),
  list(100_000, [
    { of: ['raw'], atLeast: 0.9 },
    { of: specFirst, atLeast: 50 },
  ]),
  list(1_000_000, [{ of: ['raw'], atLeast: 0.9 }]),
  {
    name: 'not-modified',
    title: 'GET with If-None-Match, 1,000,000 orders',
    ...requests,
    orders: 1_000_000,
    request: { isKnown: true },
    entries: [ours, raw, buffer],
    targets: [{ of: ['raw'], atLeast: 0.8 }],
  },
  {
    name: 'cancels',
    title: 'GET 100,000 orders with 1 % cancels; the others without',
    ...requests,
    orders: 100_000,
    entries: [{ ...ours, request: { cancelEvery: 100 } }, raw, buffer],
    targets: [{ of: ['raw'], atLeast: 0.5 }],
  },
  {
    name: 'gzip',
    title: 'GET 100,000 orders with Accept-Encoding: gzip',
    ...requests,
    orders: 100_000,
    request: { isZipped: true },
    entries: [ours, raw],
    targets: [{ of: ['raw'], atLeast: 0.8 }],
  },
  {
    name: 'delete',
    title: 'DELETE, 1,000,000 orders',
    ...requests,
    orders: 1_000_000,
    request: { cancelEvery: 1 },
    entries: [
      ours,
      ...peersOf('fastify-map'),
      { name: sameHeaders, peer: 'fastify-map', env: { SAME_HEADERS: '1' } },
      ...peersOf(...specFirst),
    ],
    targets: [
      { of: [sameHeaders], isCpu: true, atMost: 1.1 },
      { of: ['fastify-map'], atLeast: 0.85 },
      { of: [sameHeaders] },
      { of: specFirst },
    ],
  },
  {
    name: 'delete-limited',
    title: 'DELETE, 1,000,000 orders, with RATE_LIMIT',
    ...requests,
    orders: 1_000_000,
    request: { cancelEvery: 1 },
    entries: [
      { ...ours, env: { RATE_LIMIT: '999999999/60s' } },
      { ...ours, name: 'without RATE_LIMIT' },
    ],
    targets: [
      { of: ['without RATE_LIMIT'], atLeast: 0.93 },
      { of: ['without RATE_LIMIT'], isCpu: true },
    ],
  },
  {
    name: 'delete-p99',
    title: 'DELETE, 99th percentile, 1,000,000 orders and 1,000',
    method: 'latency',
    unit: 'ms',
    orders: 1_000_000,
    entries: [ours, { ...ours, name: 'with 1,000 orders', orders: 1000 }],
    targets: [{ of: ['with 1,000 orders'], atMost: 1.3 }],
  },
  {
    name: 'log',
    title: 'GET 1,000 orders at LOG_LEVEL=info',
    ...requests,
    orders: 1000,
    entries: [
      { ...ours, env: withLog },
      { ...ours, name: 'silent' },
      { ...buffer, env: withLog },
    ],
    targets: [{ of: ['silent'], atLeast: 0.8 }, { of: ['fastify-buffer'] }],
  },
  {
    name: 'metrics-on',
    title: 'GET 1,000 orders at LOG_LEVEL=info, with metrics',
    ...requests,
    orders: 1000,
    entries: [
      { ...ours, env: { ...withLog, METRICS_PORT: '0' } },
      { ...ours, name: 'metrics off', env: withLog },
    ],
    targets: [
      { of: ['metrics off'], atLeast: 0.97 },
      { of: ['metrics off'], isCpu: true },
    ],
  },
  {
    name: 'traces-1-percent',
    title: 'GET 1,000 orders at LOG_LEVEL=info, with traces of 1 % of the requests',
    ...requests,
    orders: 1000,
    entries: [
      { ...ours, env: { ...withLog, ...withTraces } },
      { ...ours, name: 'traces off', env: withLog },
    ],
    targets: [
      { of: ['traces off'], atLeast: 0.7 },
      { of: ['traces off'], isCpu: true },
    ],
  },
]
