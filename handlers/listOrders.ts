import { OrderList } from '../store/page.ts'
import type { Handler } from './types.ts'

/** The list sends itself, through plugins/list. */
export const listOrders: Handler<'listOrders'> = async (_input, { orders }) => ({
  status: 200,
  body: new OrderList(await orders.list()),
})
