// The interface of order stores. Independent of HTTP.
import type { OrderPage } from './page.ts'

export const orderStatuses = ['pending', 'shipped', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/**
 * What cancelling an order results in, by its status: the outcome, as `cancel_orders` of the migrations returns it, and the
 * error code of the API. A status without a row does not compile, nor does a code that the document lacks.
 */
const cancellations = {
  pending: { outcome: 'cancelled', code: null },
  shipped: { outcome: 'already_shipped', code: 'order_already_shipped' },
  cancelled: { outcome: 'already_cancelled', code: 'order_already_cancelled' },
  missing: { outcome: 'not_found', code: 'order_not_found' },
} as const satisfies Record<OrderStatus | 'missing', { outcome: string; code: string | null }>

type Cancellation = (typeof cancellations)[keyof typeof cancellations]
export type CancelOutcome = Cancellation['outcome']
export const cancelOutcomes: readonly CancelOutcome[] = Object.values(cancellations).map(({ outcome }) => outcome)
export const outcomeOf = (status: OrderStatus): CancelOutcome => cancellations[status].outcome

/** The error code of the API by the outcome; null if there is no error. */
export const outcomeCodes = Object.fromEntries(
  Object.values(cancellations).map(({ outcome, code }) => [outcome, code]),
) as Record<CancelOutcome, Cancellation['code']>

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
