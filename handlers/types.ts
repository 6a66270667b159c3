// The types of the handlers of orders, derived from the document.

import type { HandlersOf } from 'exact-openapi'
import type { operations, received } from '../spec/openapi.d.ts'
import type { OrderStore } from '../store/order-store.ts'
import type { OrderList } from '../store/page.ts'

/** The services available to handlers. */
export interface Services {
  orders: OrderStore
}

type DocumentHandlers = HandlersOf<operations, received.operations, Services>
type ListOrders = DocumentHandlers['listOrders']
type NoList = Exclude<Awaited<ReturnType<ListOrders>>, { status: 200 }>

/** Exactly one handler for each operation of the document. The list is the store's pages, which already are JSON. */
export type Handlers = Omit<DocumentHandlers, 'listOrders'> & {
  readonly listOrders: (...args: Parameters<ListOrders>) => Promise<NoList | { status: 200; body: OrderList }>
}

/** A handler takes what the document describes (int64 as bigint) and returns one of the documented responses. */
export type Handler<Id extends keyof Handlers> = Handlers[Id]
