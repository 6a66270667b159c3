// The interface of order stores. Independent of HTTP.
import type { OrderPage } from './page.ts'

export type CancelOutcome = 'cancelled' | 'already_cancelled' | 'already_shipped' | 'not_found'

export interface OrderStore {
  /**
   * All orders but the cancelled ones, in the order in which they were placed.
   * An unchanged page is the same object as before, and an unchanged list the same array.
   */
  list(): Promise<readonly OrderPage[]>
  /** Cancels a pending order. However many callers there are, exactly one gets `cancelled`. */
  cancel(orderId: bigint): Promise<CancelOutcome>
  /** True if any order, cancelled ones included, refers to the pet. */
  hasPet(petId: bigint): Promise<boolean>
  countByStatus(): Promise<Record<'pending' | 'shipped' | 'cancelled', number>>
  /** Those to the database, and the requests that wait for one. */
  connections?(): { used: number; idle: number; max: number; waiting: number }
  /** Resolves if orders can be reached at present. */
  ping(): Promise<void>
  close(): Promise<void>
}
