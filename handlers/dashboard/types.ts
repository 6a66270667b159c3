// The same for the private API of the page "Project settings / Domains".
import type { Registry } from '../../domains/registry.ts'
import type { operations } from '../../spec/dashboard.d.ts'
import type { HandlerOf } from '../types.ts'

export type OperationId = keyof operations

/** What its handlers work with. */
export interface Services {
  domains: Registry
}

export type Handler<Id extends OperationId> = HandlerOf<operations[Id], Services>

/** A handler for every operation of the document, and for nothing else. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }
