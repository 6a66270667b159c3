// Metrics of the store: orders by status, pages encoded, connections to the database and its statements.
import { subscribe } from 'node:diagnostics_channel'
import { pageEncoded, type Statement, statementSent } from '../../store/channels.ts'
import type { OrderStore } from '../../store/order-store.ts'
import { type Metrics, type Observe, samplesOf } from './series.ts'

/** Seconds. Those of OpenTelemetry's stable conventions for `db.client.operation.duration`. */
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
/** Counting the orders of a large database takes a while. */
const COUNT_AGE_MS = 60_000

export function storeMetrics(metrics: Metrics, store: OrderStore): void {
  const { gauge, countMessages } = metrics
  const encoded = 'Pages of the list that were encoded since they had changed.'
  countMessages('store_orders_pages_encoded_total', encoded, 'encoding', pageEncoded, ['json', 'gzip'])
  const isUp = () =>
    store.ping().then(
      () => 1,
      () => 0,
    )
  gauge('store_up', 'Whether the orders can be reached: 1 or 0.', isUp)
  const countByStatus = atMostEvery(COUNT_AGE_MS, () => store.countByStatus())
  gauge('store_orders_orders', 'Orders in the store, by status; at most a minute old.', async () =>
    samplesOf('status', Object.entries(await countByStatus())),
  )
  if (store.connections) databaseMetrics(metrics, store.connections)
}

function databaseMetrics({ gauge, histogram }: Metrics, connections: NonNullable<OrderStore['connections']>) {
  gauge('db_client_connection_count', 'Connections to PostgreSQL, by state.', () => {
    const { used, idle } = connections()
    return samplesOf('db_client_connection_state', Object.entries({ used, idle }))
  })
  gauge('db_client_connection_max', 'The most connections to PostgreSQL.', () => connections().max)
  gauge(
    'db_client_connection_pending_requests',
    'Requests that wait for a connection to PostgreSQL, or for other cancellations to be sent.',
    () => connections().waiting,
  )
  const durations = histogram(
    'db_client_operation_duration_seconds',
    'Time from sending a statement to PostgreSQL to its result or error.',
    bounds,
  )
  const series = new Map<string, Observe>()
  subscribe(statementSent.name, (message) => {
    const { name, result } = message as Statement
    const began = performance.now()
    function observe(error?: string) {
      const id = `${name} ${error}`
      const labels = { db_system_name: 'postgresql', db_query_summary: name, ...(error && { error_type: error }) }
      const add = series.get(id) ?? durations(labels)
      series.set(id, add)
      add((performance.now() - began) / 1000)
    }
    result.then(
      () => observe(),
      ({ code = '_OTHER' }) => observe(code), // SQLSTATE, or the system's
    )
  })
}

/** Errors are not cached. */
function atMostEvery<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { at: number; value: Promise<T> } | undefined
  return async () => {
    if (!cached || performance.now() - cached.at > ms) cached = { at: performance.now(), value: read() }
    try {
      return await cached.value
    } catch (error) {
      cached = undefined
      throw error
    }
  }
}
