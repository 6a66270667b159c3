import { errorResponse } from '../spec/errors.ts'
import { outcomeCodes } from '../store/order-store.ts'
import type { Handler } from './types.ts'

export const cancelOrder: Handler<'cancelOrder'> = async ({ path }, { orders }) => {
  const code = outcomeCodes[await orders.cancel(path.orderId)]
  return code === null ? { status: 204 } : errorResponse(code)
}
