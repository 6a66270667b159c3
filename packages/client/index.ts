// The typed client of the API: a method for each operation, exact identifiers, errors by code.
import type { components } from '../../spec/openapi.d.ts'
import { methodsOf } from './call.ts'
import { type Client, operations, schemas } from './operations.ts'
import type { ClientOptions } from './options.ts'

export type { components, operations, paths } from '../../spec/openapi.d.ts'
export {
  type ErrorCode,
  type KnownErrorCode,
  StoreOrdersError,
  UnexpectedResponseError,
} from './errors.ts'
export type { Client } from './operations.ts'
export type { ClientOptions } from './options.ts'
export type { Fetch, FetchInit, FetchResponse } from './platform.ts'
export type { CallOptions, RateLimit, ResponseInfo } from './types.ts'

/** An order placed in the store. A field that it does not have is absent; `shipDate` is in ISO 8601. */
export type Order = Readonly<components['schemas']['Order']>
/** An animal that an order refers to. */
export type Pet = Readonly<components['schemas']['Pet']>

/**
 * Every call resolves with exactly what its type says, frozen. It rejects with a StoreOrdersError when the API rejects it,
 * with an UnexpectedResponseError for any other response, and with the error of `fetch` when no complete response arrived.
 * @throws TypeError that names the first option that is missing or invalid
 */
export function createClient(options: ClientOptions): Client {
  return methodsOf({ operations, schemas }, options) as Client
}
