import { OrderList } from '../store/page.ts'
import type { Handler } from './types.ts'

/** plugins/list sends an OrderList, as app.ts says. */
export const listOrders: Handler<'listOrders'> = async (_input, { orders }) => ({
  status: 200,
  body: new OrderList(await orders.list()),
})
