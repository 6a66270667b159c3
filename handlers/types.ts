// What the document says of an operation, as types: its parameters, and the bodies of its documented statuses.
import type { components, operations } from '../spec/openapi.d.ts'
import type { OrderStore } from '../store/order-store.ts'
import type { OrderPage } from '../store/page.ts'

export type OperationId = keyof operations

/** What handlers work with. */
export interface Services {
  orders: OrderStore
}

/** A handler takes an operation's path parameters (int64 as bigint) and answers with one of its documented replies. */
export type Handler<Id extends OperationId> = (params: Params<Id>, services: Services) => Promise<Reply<Id>>

/** A handler for every operation of the document, and for nothing else. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

type Params<Id extends OperationId> = Exclude<operations[Id]['parameters']['path'], undefined>

type Responses<Id extends OperationId> = operations[Id]['responses']

export type Reply<Id extends OperationId> = {
  [Status in Extract<keyof Responses<Id>, number>]: Responses<Id>[Status] extends {
    content: { 'application/json': infer Body }
  }
    ? { status: Status; body: Wire<Body> }
    : { status: Status; body?: never }
}[Extract<keyof Responses<Id>, number>]

/** A list of orders is handed on as the store's pages, which hold it as JSON already. */
type Wire<Body> = Body extends components['schemas']['Order'][] ? readonly OrderPage[] : Body
