// What people type into the search, after the places that serve it: one of these must come first or second.
const typed = `
listOrders: GET /store/orders, get orders, list orders, fetch all orders
cancelOrder: cancle, how do I cancel an order, DELETE /store/orders/{orderId}, delete order
cancelOrder: delete /v1/store/orders/1007
authentication: apikey, bearer token, expired key, where do I get an api key, api-key, authorization header
authentication: revoked key
authentication errors-forbidden cancelOrder-403: readonly
quick-start: quickstart, getting started, hello world
clients-in-other-languages: sdk, openapi generator, typescript client, go client, npm package
staging: sandbox, test environment, staging server, playground
listOrders versioning: paging, filter orders, pagination
getPetById: /pets, GET /pets/504
errors-unauthorized responses-401: 401
errors-rate_limited rate-limits responses-429: too many requests, 429
headers-Retry-After retries-and-idempotency rate-limits: retry after
retries-and-idempotency: backoff, idempotency key, exponential backof, lost response
polling-with-etag: caching, if-none-match
listOrders-304 polling-with-etag: 304
64-bit-identifiers: bigint, precision loss, int64, JSON.parse, javascript rounding, negative id
cors: browser, cors preflight, cross origin, call from a web page
clients-in-other-languages listOrders cancelOrder getPetById: python
retries-and-idempotency cancelOrder: undo cancellation, is delete idempotent
errors-order_already_shipped cancelOrder-409: already shipped
schema-Order-shipDate: ship date, date format
cancelOrder-orderId schema-Order-id: order id
schema-Order-complete behavior: when is an order complete
getPetById versioning headers-Deprecation: deprecated
headers-Sunset getPetById versioning: sunset
versioning: what is new, breaking changes
headers-X-Request-Id behavior: request id
errors-internal_error headers-X-Request-Id: support ticket
errors-unavailable responses-503: overloaded, service unavailable
errors-order_not_found cancelOrder-404: order not found
polling-with-etag behavior: gzip
errors-unauthorized responses-401 authentication: unautorized
rate-limits headers-RateLimit: ratelimit
errors-headers_too_large: headers too large
introduction versioning: base url
behavior: null fields, order status
errors-request_timeout responses-408 retries-and-idempotency: timeout
errors-forbidden cancelOrder-403: 403 forbidden
errors-forbidden authentication cancelOrder-403: permission denied
quick-start listOrders cancelOrder getPetById: curl example
rate-limits errors-rate_limited: throttling
rate-limits headers-RateLimit-Policy: quota
rate-limits headers-Retry-After retries-and-idempotency: how long until I can retry
retries-and-idempotency cancelOrder errors-order_already_cancelled: double cancel
polling-with-etag headers-ETag: etag
polling-with-etag listOrders: poll for changes
errors: error codes
errors responses: status codes
errors-internal_error responses-500: 500 error
errors-invalid_request: invalid_request
errors-invalid_request responses-400 cancelOrder-400: bad request
errors-order_already_cancelled: order already canceled
getPetById schema-Pet tag-pets: pet
schema-Order-quantity: quantity
schema-Order: order schema
errors-not_acceptable responses-406: accept header
errors-payload_too_large responses-413: maximum body size
`

const rows = typed.trim().split('\n')
export const phrases: Record<string, string> = Object.fromEntries(
  rows.flatMap((row) => {
    const [places = '', all = ''] = row.split(': ')
    return all.split(', ').map((phrase) => [phrase, places])
  }),
)
