// GET /store/orders
import type { Handler } from './types.ts'

export const listOrders: Handler<'listOrders'> = async (_params, { orders }) => ({
  status: 200,
  body: await orders.list(),
})
