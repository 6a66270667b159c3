// Metrics of the store: orders by status, pages encoded, connections to the database and its statements.
import { subscribe } from 'node:diagnostics_channel'
import type { Registry } from 'prom-client'
import { pageEncoded, type Statement, statementSent } from '../../store/channels.ts'
import type { OrderStore } from '../../store/order-store.ts'
import { counter, gauge, histogram, type Observe } from './series.ts'

/** Seconds. Those of OpenTelemetry's stable conventions for `db.client.operation.duration`. */
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]
/** Counting the orders of a large database takes a while. */
const COUNT_AGE_MS = 60_000

export function storeMetrics(registry: Registry, store: OrderStore): void {
  const pages: Record<string, number> = { json: 0, gzip: 0 }
  subscribe(pageEncoded.name, (encoding) => {
    pages[String(encoding)] = (pages[String(encoding)] as number) + 1
  })
  counter(registry, {
    name: 'store_orders_pages_encoded_total',
    help: 'Pages of the list that were encoded since they had changed.',
    read: () => Object.entries(pages).map(([encoding, value]) => ({ labels: { encoding }, value })),
  })
  const isUp = () =>
    store.ping().then(
      () => 1,
      () => 0,
    )
  gauge(registry, {
    name: 'store_up',
    help: 'Whether the orders can be reached: 1 or 0.',
    read: async () => [{ value: await isUp() }],
  })
  const countByStatus = atMostEvery(COUNT_AGE_MS, () => store.countByStatus())
  gauge(registry, {
    name: 'store_orders_orders',
    help: 'Orders in the store, by status; at most a minute old.',
    read: async () => Object.entries(await countByStatus()).map(([status, value]) => ({ labels: { status }, value })),
  })
  if (store.connections) databaseMetrics(registry, store.connections)
}

function databaseMetrics(registry: Registry, connections: NonNullable<OrderStore['connections']>) {
  gauge(registry, {
    name: 'db_client_connection_count',
    help: 'Connections to PostgreSQL, by state.',
    read() {
      const { used, idle } = connections()
      return Object.entries({ used, idle }).map(([state, value]) => ({
        labels: { db_client_connection_state: state },
        value,
      }))
    },
  })
  gauge(registry, {
    name: 'db_client_connection_max',
    help: 'The most connections to PostgreSQL.',
    read: () => [{ value: connections().max }],
  })
  gauge(registry, {
    name: 'db_client_connection_pending_requests',
    help: 'Requests that wait for a connection to PostgreSQL, or for other cancellations to be sent.',
    read: () => [{ value: connections().waiting }],
  })
  const durations = histogram(registry, {
    name: 'db_client_operation_duration_seconds',
    help: 'Time from sending a statement to PostgreSQL to its result or error.',
    bounds,
  })
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
  let known: { at: number; value: Promise<T> } | undefined
  return async () => {
    if (!known || performance.now() - known.at > ms) known = { at: performance.now(), value: read() }
    try {
      return await known.value
    } catch (error) {
      known = undefined
      throw error
    }
  }
}
