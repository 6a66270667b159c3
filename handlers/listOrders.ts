import { OrderList } from '../store/page.ts'
import type { Handler } from './types.ts'

/**
 * Unlike other handlers, this one returns JSON that the stores have written, which the compiler cannot check; tests compare
 * it with the document. plugins/list sends an `OrderList`; every other body is serialized by exact-openapi.
 */
export const listOrders: Handler<'listOrders'> = async (_input, { orders }) => ({
  status: 200,
  body: new OrderList(await orders.list()),
})
