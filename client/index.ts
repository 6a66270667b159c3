// The typed client of the API: a function for each operation, exact identifiers, errors by code.
import openapiFetch from 'openapi-fetch'
import type { components, paths } from '../spec/openapi.d.ts'
import { errorOf, infoOf, isJson, type ResponseInfo, unexpected } from './errors.ts'
import { parseExact } from './json.ts'
import type { PlatformAbortSignal, ResponseHead } from './platform.ts'
import { type Fetch, type RetryOptions, retrying } from './retry.ts'
import { ordersIn, petIn } from './shapes.ts'

export type { components, operations, paths } from '../spec/openapi.d.ts'
export {
  type ErrorCode,
  type KnownErrorCode,
  type RateLimit,
  type ResponseInfo,
  StoreOrdersError,
  UnexpectedAnswerError,
} from './errors.ts'
export type { Fetch, RetryOptions } from './retry.ts'

/** An order placed in the store. A field that it does not have is absent; `shipDate` is in ISO 8601. */
export type Order = Readonly<components['schemas']['Order']>
/** An animal that an order refers to. */
export type Pet = Readonly<components['schemas']['Pet']>

export interface ClientOptions extends RetryOptions {
  /** The address of the API, which ends in `/v1`: `https://api.example.com/v1`. */
  baseUrl: string
  /** Goes with every request as its bearer token. */
  apiKey: string
  /** Sends the requests; the `fetch` of the platform unless another is given. */
  fetch?: Fetch | undefined
}

export interface CallOptions {
  /** Ends the call, including waits between its attempts: it then rejects with the reason of the signal. */
  signal?: PlatformAbortSignal | undefined
  /** Called with what the response says besides its body, whether the call then resolves or rejects. */
  onResponse?: ((info: ResponseInfo) => void) | undefined
}

/**
 * Every call resolves with exactly what its type says. It rejects with a StoreOrdersError when the API rejects it, with
 * an UnexpectedAnswerError for any other response, and with the error of `fetch` when no complete response arrived.
 */
export interface Client {
  /**
   * All orders, in the order in which they were placed, without those that were cancelled. The array and its orders are
   * frozen. The client sends the list's ETag: as long as the list is unchanged, it resolves with the very same array.
   */
  listOrders(options?: CallOptions): Promise<readonly Order[]>

  /**
   * Cancels an order that is still pending. A call that rejected with a 503, or without a response of the API, may have
   * cancelled it nevertheless: call again, and the code `order_already_cancelled` means that the order is cancelled, by
   * that call or by someone else. An automatic retry may end with this code: the attempt that got 503 may have worked.
   */
  cancelOrder(orderId: bigint, options?: CallOptions): Promise<void>

  /**
   * The pet, if any order refers to it.
   * @deprecated The operation has a sunset date. Use the `petId` of the listed orders instead.
   */
  getPetById(petId: bigint, options?: CallOptions): Promise<Pet>
}

/** @throws TypeError when `baseUrl` or `apiKey` is missing */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, fetch = globalThis.fetch, ...retry } = options
  for (const [name, value] of Object.entries({ baseUrl, apiKey })) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`createClient needs ${name}, a text that is not empty.`)
  }
  const headers = { authorization: `Bearer ${apiKey}` }
  const sender = retrying(fetch, retry)
  // The API never redirects: a followed redirect may turn a DELETE into a GET, whose response says nothing about it.
  const api = openapiFetch<paths>({ baseUrl, headers, fetch: sender, redirect: 'manual' })
  let last: { etag: string; orders: readonly Order[] } | undefined

  return {
    async listOrders({ signal = null, onResponse } = {}) {
      const known = last
      const headers = { 'if-none-match': known?.etag }
      const answer = report(await api.GET('/store/orders', { signal, headers, parseAs: 'text' }), onResponse)
      if (known && answer.response.status === 304) return known.orders
      const orders = bodyOf(answer, ordersIn)
      const etag = answer.response.headers.get('etag')
      last = etag === null ? undefined : { etag, orders }
      return orders
    },

    async cancelOrder(orderId, { signal = null, onResponse } = {}) {
      const params = { path: { orderId: exact(orderId) } }
      const answer = await api.DELETE('/store/orders/{orderId}', { signal, params, parseAs: 'text' })
      report(answer, onResponse)
      if (answer.response.status !== 204) throw failureOf(answer)
    },

    async getPetById(petId, { signal = null, onResponse } = {}) {
      const params = { path: { petId: exact(petId) } }
      return bodyOf(report(await api.GET('/pets/{petId}', { signal, params, parseAs: 'text' }), onResponse), petIn)
    },
  }
}

function report(answer: Answer, onResponse: CallOptions['onResponse']): Answer {
  onResponse?.(infoOf(answer.response))
  return answer
}

/** For callers without types: a number beyond 2^53 would identify another order. */
function exact(id: bigint): bigint {
  if (typeof id !== 'bigint') throw new TypeError(`An identifier is a bigint, like 1007n. This is a ${typeof id}.`)
  return id
}

/** It has either `data` or `error`, according to its status, or neither. */
interface Answer {
  response: ResponseHead
  data?: string
  error?: unknown
}

function bodyOf<Body>(answer: Answer, read: (body: unknown) => Body): Body {
  const { response, data = '' } = answer
  if (response.status !== 200 || !isJson(response)) throw failureOf(answer)
  try {
    return read(parseExact(data))
  } catch (cause) {
    throw unexpected(response, data, cause)
  }
}

function failureOf({ response, data, error }: Answer): Error {
  return errorOf(response, error ?? data)
}
