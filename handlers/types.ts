// The types of the handlers of orders, derived from the document.

import type { HandlersOf } from 'exact-openapi'
import type { components, operations, received } from '../spec/openapi.d.ts'
import type { OrderStore } from '../store/order-store.ts'
import type { OrderList } from '../store/page.ts'

/** The services available to handlers. */
export interface Services {
  orders: OrderStore
}

/** Exactly one handler for each operation of the document. */
export type Handlers = HandlersOf<
  { [Id in keyof operations]: WithPages<operations[Id]> },
  received.operations,
  Services
>

/** A handler takes what the document describes (int64 as bigint) and returns one of the documented responses. */
export type Handler<Id extends keyof Handlers> = Handlers[Id]

/** Responds with orders as the store's pages, which already hold them as JSON. */
export type WithPages<Operation extends { responses: object }> = Omit<Operation, 'responses'> & {
  responses: { [Status in keyof Operation['responses']]: WithBodies<Operation['responses'][Status]> }
}

/** An array within a body is a value: only a whole body is sent as pages. */
type WithBodies<Response> = Response extends { content: infer Content }
  ? Omit<Response, 'content'> & { content: { [Type in keyof Content]: BodyOf<Content[Type]> } }
  : Response

type BodyOf<Body> = IsSame<Body, components['schemas']['Order'][]> extends true ? OrderList : Body

/** All fields are optional, so any array would be assignable to `Order[]`. */
type IsSame<One, Other> =
  (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2 ? true : false
