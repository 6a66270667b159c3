import { errorResponse } from '../spec/errors.ts'
import type { Handler } from './types.ts'

export const cancelErrors = {
  not_found: 'order_not_found',
  already_cancelled: 'order_already_cancelled',
  already_shipped: 'order_already_shipped',
} as const

export const cancelOrder: Handler<'cancelOrder'> = async ({ path }, { orders }) => {
  const outcome = await orders.cancel(path.orderId)
  return outcome === 'cancelled' ? { status: 204 } : errorResponse(cancelErrors[outcome])
}
