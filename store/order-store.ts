// The interface of order stores. Independent of HTTP.
import type { OrderPage } from './page.ts'

export const orderStatuses = ['pending', 'shipped', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** With `order_` before it, each but `cancelled` is a code of the API: one that the document lacks does not compile. */
export type CancelOutcome = 'cancelled' | `already_${Exclude<OrderStatus, 'pending'>}` | 'not_found'
export const cancelOutcomes: readonly CancelOutcome[] = [...orderStatuses.map(outcomeOf), 'not_found']

/** What cancelling an order that has the status results in. `cancel_orders` of the migrations says the same. */
export function outcomeOf(status: OrderStatus): CancelOutcome {
  return status === 'pending' ? 'cancelled' : `already_${status}`
}

/** The counts of a store without orders. */
export function noOrders(): Record<OrderStatus, number> {
  return Object.fromEntries(orderStatuses.map((status) => [status, 0])) as Record<OrderStatus, number>
}

export interface OrderStore {
  /**
   * All orders except cancelled ones, in the order of placement.
   * An unchanged page is the same object as before, and an unchanged list the same array.
   */
  list(): Promise<readonly OrderPage[]>
  /** Cancels a pending order. Of concurrent callers, exactly one gets `cancelled`. */
  cancel(orderId: bigint): Promise<CancelOutcome>
  /** True if any order, cancelled ones included, refers to the pet. */
  hasPet(petId: bigint): Promise<boolean>
  countByStatus(): Promise<Record<OrderStatus, number>>
  /** Database connections, and the requests that wait for one or for a group of cancellations to be sent. */
  connections?(): { used: number; idle: number; max: number; waiting: number }
  /** Resolves if the store is reachable. */
  ping(): Promise<void>
  close(): Promise<void>
}
