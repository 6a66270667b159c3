// Metrics of the store: cancellations by outcome, orders by status, pages encoded, connections to the database.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Registry } from 'prom-client'
import type { CancelOutcome, OrderStore } from '../../store/order-store.ts'
import { counter, gauge } from './scraped.ts'

const outcomes: readonly CancelOutcome[] = ['cancelled', 'already_cancelled', 'already_shipped', 'not_found']
/** Stores and the compressor publish the encoding of each page that they encode. */
const PAGE_ENCODED = 'store-orders.page-encoded'
/** Counting the orders of a large database takes a while. */
const COUNT_AGE_MS = 60_000

/** @returns the store, with its cancellations counted */
export function storeMetrics(registry: Registry, store: OrderStore): OrderStore {
  const cancels = new Map<string, number>(outcomes.map((outcome) => [outcome, 0]))
  const pages = new Map([
    ['json', 0],
    ['gzip', 0],
  ])
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) as number) + 1)
  const countPage = (encoding: unknown) => count(pages, String(encoding))
  subscribe(PAGE_ENCODED, countPage)

  counter(registry, {
    name: 'store_orders_cancellations_total',
    help: 'Attempts to cancel an order, by outcome.',
    read: () => [...cancels].map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
  counter(registry, {
    name: 'store_orders_pages_encoded_total',
    help: 'Pages of the list that were encoded since they had changed.',
    read: () => [...pages].map(([encoding, value]) => ({ labels: { encoding }, value })),
  })
  gauge(registry, {
    name: 'store_up',
    help: 'Whether the orders can be reached: 1 or 0.',
    read: async () => [
      {
        value: await store.ping().then(
          () => 1,
          () => 0,
        ),
      },
    ],
  })
  const countByStatus = atMostEvery(COUNT_AGE_MS, () => store.countByStatus())
  gauge(registry, {
    name: 'store_orders_orders',
    help: 'Orders in the store, by status; at most a minute old.',
    read: async () => Object.entries(await countByStatus()).map(([status, value]) => ({ labels: { status }, value })),
  })
  if (store.connections) connectionMetrics(registry, store.connections)

  return {
    ...store,
    async cancel(orderId) {
      const outcome = await store.cancel(orderId)
      count(cancels, outcome)
      return outcome
    },
    async close() {
      unsubscribe(PAGE_ENCODED, countPage)
      await store.close()
    },
  }
}

function connectionMetrics(registry: Registry, connections: NonNullable<OrderStore['connections']>) {
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
    help: 'Requests that wait for a connection to PostgreSQL.',
    read: () => [{ value: connections().waiting }],
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
