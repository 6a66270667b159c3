// Handler types, derived from a document: an operation's parameters, its body, and its documented responses.
import type { components, operations } from '../spec/openapi.d.ts'
import type { OrderStore } from '../store/order-store.ts'
import type { OrderList } from '../store/page.ts'

export type OperationId = keyof operations

/** The services available to handlers. */
export interface Services {
  orders: OrderStore
}

/** A handler takes an operation's path parameters (int64 as bigint) and returns one of its documented responses. */
export type Handler<Id extends OperationId> = HandlerOf<operations[Id], Services>

/** Exactly one handler for each operation of the document. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

export type Reply<Id extends OperationId> = ReplyOf<operations[Id]>

/** A handler of an operation of any document. */
export type HandlerOf<Operation extends Described, Services> = (
  params: Exclude<Operation['parameters']['path'], undefined>,
  services: Services,
  body: Operation extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined,
) => Promise<ReplyOf<Operation>>

interface Described {
  parameters: { path?: unknown }
  responses: object
}

export type ReplyOf<Operation extends Described> = {
  [Status in Extract<keyof Operation['responses'], number>]: Operation['responses'][Status] extends {
    content: { 'application/json': infer Body }
  }
    ? { status: Status; body: Wire<Body>; headers?: Readonly<Record<string, string>> }
    : { status: Status; body?: never }
}[Extract<keyof Operation['responses'], number>]

/** Orders are passed on as the store's pages, which already hold them as JSON. */
type Wire<Body> = Body extends components['schemas']['Order'][] ? OrderList : Body
