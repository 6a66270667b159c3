// Handler types, derived from a document: an operation's parameters, its body, and its documented responses.
import type { components, operations } from '../spec/openapi.d.ts'
import type { OrderStore } from '../store/order-store.ts'
import type { OrderList } from '../store/page.ts'

export type OperationId = keyof operations

/** The services available to handlers. */
export interface Services {
  orders: OrderStore
}

/** A handler takes what the document describes (int64 as bigint) and returns one of the documented responses. */
export type Handler<Id extends OperationId> = HandlerOf<operations[Id], Services>

/** Exactly one handler for each operation of the document. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

export type Reply<Id extends OperationId> = ReplyOf<operations[Id]>

/** A handler of an operation of any document. */
export type HandlerOf<Operation extends Described, Services> = (
  input: InputOf<Operation>,
  services: Services,
) => Promise<ReplyOf<Operation>>

interface Described {
  parameters: { path?: unknown; query?: unknown; header?: unknown; cookie?: unknown }
  requestBody?: unknown
  responses: object
}

/** What the document describes for each part of a request; a part that it does not describe is absent. */
export type InputOf<Operation extends Described> = Part<'path', Operation['parameters']['path']> &
  Part<'query', Operation['parameters']['query']> &
  Part<'headers', Operation['parameters']['header']> &
  Part<'cookies', Operation['parameters']['cookie']> &
  BodyOf<Operation['requestBody']>

type Part<Name extends string, Fields> = [Exclude<Fields, undefined>] extends [never]
  ? unknown
  : { readonly [Key in Name]: Readonly<Exclude<Fields, undefined>> }

type BodyOf<RequestBody> = [Exclude<RequestBody, undefined>] extends [{ content: infer Content }]
  ? undefined extends RequestBody
    ? { readonly body?: Content[keyof Content] }
    : { readonly body: Content[keyof Content] }
  : unknown

export type ReplyOf<Operation extends Described> = {
  [Status in Extract<keyof Operation['responses'], number>]: Operation['responses'][Status] extends {
    content: { 'application/json': infer Body }
  }
    ? { status: Status; body: Wire<Body>; headers?: Readonly<Record<string, string>> }
    : { status: Status; body?: never }
}[Extract<keyof Operation['responses'], number>]

/** Orders are passed on as the store's pages, which already hold them as JSON. */
type Wire<Body> = Body extends components['schemas']['Order'][] ? OrderList : Body
