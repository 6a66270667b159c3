import { OrderList } from '../store/page.ts'
import type { Handler } from './types.ts'

/**
 * The exception: the stores have written these orders as JSON, which the compiler cannot check; tests compare them with the
 * document. plugins/list sends an `OrderList`; every other body is serialized by exact-openapi.
 */
export const listOrders: Handler<'listOrders'> = async (_input, { orders }) => ({
  status: 200,
  body: new OrderList(await orders.list()),
})
