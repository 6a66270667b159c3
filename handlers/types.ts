// The types of the handlers of orders, derived from the document.
import type { components, operations } from '../spec/openapi.d.ts'
import type { InputOf, ReplyOf } from '../spec/operation-types.ts'
import type { OrderStore } from '../store/order-store.ts'
import type { OrderList } from '../store/page.ts'

export type OperationId = keyof operations

/** The services available to handlers. */
export interface Services {
  orders: OrderStore
}

/** A handler takes what the document describes (int64 as bigint) and returns one of the documented responses. */
export type Handler<Id extends OperationId> = (input: InputOf<operations[Id]>, services: Services) => Promise<Reply<Id>>

/** Exactly one handler for each operation of the document. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

export type Reply<Id extends OperationId> = WithPages<ReplyOf<operations[Id]>>

/** Orders are passed on as the store's pages, which already hold them as JSON. */
type WithPages<Reply> = Reply extends { body: components['schemas']['Order'][] }
  ? Omit<Reply, 'body'> & { body: OrderList }
  : Reply
