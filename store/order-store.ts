// The interface of order stores. Independent of HTTP.
import type { OrderPage } from './page.ts'

export const orderStatuses = ['pending', 'shipped', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const cancelOutcomes = ['cancelled', 'already_cancelled', 'already_shipped', 'not_found'] as const
export type CancelOutcome = (typeof cancelOutcomes)[number]

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
