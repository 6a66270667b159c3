// The types of the handlers of the dashboard's private API.
import type { InputOf, ReplyOf } from '../../spec/operation-types.ts'
import type { Registry } from '../registry.ts'
import type { operations } from './dashboard.d.ts'

export type OperationId = keyof operations

/** The services available to handlers. */
export interface Services {
  domains: Registry
}

/** The outcome of a request that starts an attempt. */
export type Started = Awaited<ReturnType<Registry['verify']>>

export type Handler<Id extends OperationId> = (
  input: InputOf<operations[Id]>,
  services: Services,
) => Promise<ReplyOf<operations[Id]>>

/** Exactly one handler for each operation of the document. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }
