// Metrics of the connections of clients, on all ports but that of the metrics.
import type { Limits } from 'http-edge'
import type { Registry } from 'prom-client'
import { counter, gauge } from './series.ts'

export function connectionMetrics(registry: Registry, { connections }: Pick<Limits, 'connections'>): void {
  gauge(registry, {
    name: 'store_orders_connections_open',
    help: 'Open connections of clients.',
    read: () => [{ value: connections().open }],
  })
  gauge(registry, {
    name: 'store_orders_connections_max',
    help: 'The most connections of clients, by the descriptor limit.',
    read: () => [{ value: connections().max }],
  })
  counter(registry, {
    name: 'store_orders_connections_refused_total',
    help: 'Connections that were closed at once, as there were too many.',
    read: () => [{ value: connections().refused }],
  })
}
