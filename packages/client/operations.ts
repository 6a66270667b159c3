// Generated from openapi.yaml by `npm run types`. Do not edit.
import type { BodyOf, Operation, OptionsOf, PathOf, Schema } from './types.ts'

export interface Client {
  /**
   * List all orders
   *
   * Returns all orders in the order in which they were placed, except those that were cancelled. There are no
   * parameters: filtering and pagination are planned for version 2.
   *
   * The response has an `ETag`. Send it as `If-None-Match` with the next request: while the list is unchanged, the
   * response is 304 without a body.
   *
   */
  listOrders(options?: OptionsOf<"listOrders">): Promise<BodyOf<"listOrders", 200>>

  /**
   * Cancel an order
   *
   * Cancels a pending order; it then leaves the list. An order that has shipped cannot be cancelled: the response is
   * 409.
   *
   * Of any number of concurrent requests to cancel an order, exactly one gets 204; the others get 404 with the code
   * `order_already_cancelled`. Retrying is safe: after a lost response or a 503, that code means that the order is
   * cancelled, possibly by an earlier attempt.
   *
   */
  cancelOrder(orderId: PathOf<"cancelOrder">["orderId"], options?: OptionsOf<"cancelOrder">): Promise<BodyOf<"cancelOrder", 204>>

  /**
   * Look up a pet
   *
   * Returns the pet if any order refers to it, including cancelled orders.
   *
   * **Deprecated** since 1 January 2026; it ends on 31 December 2027. Use the `petId` of the listed orders instead.
   * The operation is `experimental`: a pet may gain fields.
   *
   * @deprecated
   */
  getPetById(petId: PathOf<"getPetById">["petId"], options?: OptionsOf<"getPetById">): Promise<BodyOf<"getPetById", 200>>
}

export const operations: Readonly<Record<keyof Client, Operation>> = {
  "listOrders": {"method":"GET","path":"/store/orders","parameters":[],"hasETag":true,"responses":{"200":{"application/json":{"type":"array","items":{"$ref":"Order"}}}}},
  "cancelOrder": {"method":"DELETE","path":"/store/orders/{orderId}","parameters":[{"name":"orderId","schema":{"type":"integer","format":"int64"}}],"responses":{"204":{}}},
  "getPetById": {"method":"GET","path":"/pets/{petId}","parameters":[{"name":"petId","schema":{"type":"integer","format":"int64"}}],"responses":{"200":{"application/json":{"$ref":"Pet"}}}},
}

export const schemas: Readonly<Record<string, Schema>> = {
  "Order": {"type":"object","properties":{"id":{"type":"integer","format":"int64"},"petId":{"type":"integer","format":"int64"},"quantity":{"type":"integer"},"shipDate":{"type":"string","format":"date-time"},"complete":{"type":"boolean"}}},
  "Pet": {"type":"object","required":["id"],"properties":{"id":{"type":"integer","format":"int64"}}},
  "Error": {"type":"object","required":["code","message","status"],"properties":{"code":{"$ref":"ErrorCode"},"message":{"type":"string"},"status":{"type":"integer"}}},
  "ErrorCode": {"type":"string"},
}
