// The handler types of handlers/types.ts, for the private API of the dashboard.
import type { Registry } from '../../domains/registry.ts'
import type { operations } from '../../spec/dashboard.d.ts'
import type { HandlerOf } from '../types.ts'

export type OperationId = keyof operations

/** The services available to handlers. */
export interface Services {
  domains: Registry
}

/** The outcome of a request that starts an attempt. */
export type Begun = Awaited<ReturnType<Registry['verify']>>

export type Handler<Id extends OperationId> = HandlerOf<operations[Id], Services>

/** Exactly one handler for each operation of the document. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }
