// The handler types of handlers/types.ts, for the private API of the dashboard.

import type { HandlerOf } from '../../handlers/types.ts'
import type { Registry } from '../registry.ts'
import type { operations } from './dashboard.d.ts'

export type OperationId = keyof operations

/** The services available to handlers. */
export interface Services {
  domains: Registry
}

/** The outcome of a request that starts an attempt. */
export type Started = Awaited<ReturnType<Registry['verify']>>

export type Handler<Id extends OperationId> = HandlerOf<operations[Id], Services>

/** Exactly one handler for each operation of the document. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }
