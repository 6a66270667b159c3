import { OrderList } from '../store/page.ts'
import type { Handler } from './types.ts'

/** app.ts says what sends an OrderList. */
export const listOrders: Handler<'listOrders'> = async (_input, { orders }) => ({
  status: 200,
  body: new OrderList(await orders.list()),
})
