// The types of the handlers of orders, derived from the document.
import type { components, operations } from '../spec/openapi.d.ts'
import type { HandlersOf } from '../spec/operation-types.ts'
import type { OrderStore } from '../store/order-store.ts'
import type { OrderList } from '../store/page.ts'

/** The services available to handlers. */
export interface Services {
  orders: OrderStore
}

/** Exactly one handler for each operation of the document. */
export type Handlers = HandlersOf<WithPages<operations>, Services>

/** A handler takes what the document describes (int64 as bigint) and returns one of the documented responses. */
export type Handler<Id extends keyof Handlers> = Handlers[Id]

/** Orders are passed on as the store's pages, which already hold them as JSON. */
type WithPages<Type> = Type extends components['schemas']['Order'][]
  ? OrderList
  : { [Key in keyof Type]: WithPages<Type[Key]> }
