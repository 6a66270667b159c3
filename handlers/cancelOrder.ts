import { errorResponse } from '../spec/errors.ts'
import type { Handler } from './types.ts'

export const cancelOrder: Handler<'cancelOrder'> = async ({ path }, { orders }) => {
  const outcome = await orders.cancel(path.orderId)
  return outcome === 'cancelled' ? { status: 204 } : errorResponse(`order_${outcome}`)
}
