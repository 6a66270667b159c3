// Authentication, identifiers, orders and pets.
import { requestsOf } from '../document-walk/requests.ts'
import { authorization, build } from '../fixtures/app.ts'
import { answers, type Check, codesIn, document, list, model, order, provenBy, serve } from './server.ts'

const { operations } = model
const operationOf = (id: string) => operations.find((one) => one.id === id)
const pathOf = (path: string) => path.replace('{orderId}', '1007').replace('{petId}', '504')

const contract = (...titles: string[]) => provenBy('test/store/contract.test.ts', ...titles)
const cancelsOnce = contract(
  'lets exactly one of many concurrent cancellations succeed',
  'never lists an order whose cancellation has succeeded',
)
const keepsOrder = contract('behaves like a plain list of orders')
const retries = contract('cancels a pending order once, and neither a shipped nor a missing one')
const looksUpPet = contract('finds pets of all orders, cancelled ones included')

const hasStatusOfItsOwn: Check = async (t, statement) => {
  t.notOk('status' in (model.schemas.get('Order')?.properties ?? {}))
  await retries(t, statement)
}

const takesPlainDigits = provenBy(
  'packages/exact-openapi/test/contract/input.test.ts',
  'an identifier in a path is a 64-bit integer in plain decimal digits',
)

export const behavior: Record<string, Check> = {
  'List the orders placed in a pet store, and cancel one while it is still pending.': keepsOrder,
  'listOrders-200: All orders.': keepsOrder,
  'All paths are relative to a base URL that ends in `/v1`.': async (t, statement) => {
    const [base = ''] = codesIn(statement)
    t.ok(model.servers.every(({ url }) => url.endsWith(base)))
    const app = await build(t)
    for (const { path } of operations) t.equal((await app.inject(pathOf(path))).statusCode, 404)
  },
  'Bodies are JSON.': async (t) => {
    const media = operations.flatMap(({ body, responses }) => [body, ...responses].flatMap((one) => one?.media ?? []))
    t.strictSame([...new Set(media.map(({ type }) => type))], ['application/json'])
    const { ask } = await serve(t)
    t.match((await ask('GET', list)).headers['content-type'], /^application\/json\b/)
  },
  'Every operation requires an API key, sent as a bearer token: `Authorization: Bearer <API_KEY>`.': async (
    t,
    statement,
  ) => {
    const rejected = answers.filter(({ status, body }) => status === 401 && body.includes('unauthorized'))
    t.strictSame(new Set(rejected.map(({ operationId }) => operationId)), new Set(operations.map(({ id }) => id)))
    for (const { body } of rejected.filter(({ body }) => body.includes('Send an'))) t.match(body, codesIn(statement)[0])
  },
  'A missing, invalid, expired or revoked key is rejected with 401, whether or not the order exists.': provenBy(
    'test/plugins/auth.test.ts',
    'without credentials of the scheme, the challenge of the 401 has no error',
    'an invalid key is rejected with 401 and the error invalid_token',
    'a revoked or replaced key is rejected on open connections too',
    'an expired key is rejected on open connections too',
  ),
  'A key can be read-only: cancelling with it is rejected with 403.': provenBy(
    'test/plugins/rate-limits.test.ts',
    'the keys of a name share a quota, which 403 responses also use',
  ),
  '`id`, `petId` and `orderId` are signed 64-bit integers, exact to the last digit.': provenBy(
    'test/packages/exact-openapi/contract/output.test.ts',
    'an int64 stays exact in path, query, header, body and response',
  ),
  'In a path, write an identifier in plain decimal digits.': takesPlainDigits,
  'Anything else is rejected with 400.': takesPlainDigits,
  'cancelOrder-orderId: Identifier of the order to cancel, in plain decimal digits.': takesPlainDigits,
  'getPetById-petId: Identifier of the pet, in plain decimal digits.': takesPlainDigits,
  'Every request can be repeated safely, without an idempotency key.': contract(
    'lists the same array until an order is cancelled',
    'lets exactly one of many concurrent cancellations succeed',
  ),
  'A cancellation cannot be undone.': async (t) => {
    const { app, ask, listed } = await serve(t)
    await ask('DELETE', order(1007))
    const succeeding = requestsOf(document).filter(({ status }) => status.startsWith('2'))
    for (const { method, path, headers, body } of succeeding) {
      const url = `/v1${path}`
      await app.inject({ method: method as 'GET', url, headers: { authorization, ...headers }, ...(body && { body }) })
    }
    t.notOk((await listed()).includes(1007))
    t.equal((await ask('DELETE', order(1007))).body.code, 'order_already_cancelled')
  },
  '**Exactly one request gets the 204.**': cancelsOnce,
  'Cancelling again returns 404 `order_already_cancelled`.': cancelsOnce,
  'Of any number of concurrent requests to cancel an order, exactly one gets 204; the others get 404 with the code `order_already_cancelled`.':
    cancelsOnce,
  'Retrying is safe: after a lost response or a 503, that code means that the order is cancelled, possibly by an earlier attempt.':
    retries,
  '**After a lost response, a 500 or a 503, cancel again**: 204 and `order_already_cancelled` both mean that the order is cancelled.':
    retries,
  '**A cancelled order leaves the list.**': cancelsOnce,
  'Cancels a pending order; it then leaves the list.': cancelsOnce,
  'cancelOrder-204: The order has been cancelled.': cancelsOnce,
  'An order that has shipped cannot be cancelled: the response is 409.': hasStatusOfItsOwn,
  'Orders have no status field, so the list is the only place that shows a cancellation.': hasStatusOfItsOwn,
  '**`complete` does not decide whether an order can be cancelled.**': hasStatusOfItsOwn,
  'Its status does, and that is not exposed.': hasStatusOfItsOwn,
  '**Absent fields are omitted**, never `null`.': keepsOrder,
  'Returns all orders in the order in which they were placed, except those that were cancelled.': keepsOrder,
  'There are no parameters: filtering and pagination are planned for version 2.': async (t) => {
    t.strictSame(operationOf('listOrders')?.parameters, [])
  },
  'Returns the pet if any order refers to it, including cancelled orders.': looksUpPet,
  'getPetById-200: The pet.': looksUpPet,
  'schema-Pet: A pet that an order refers to.': looksUpPet,
  'schema-Pet-id: Unique pet identifier.': looksUpPet,
  'schema-Order-petId: Identifier of the animal in the order.': looksUpPet,
  '**Deprecated** since 1 January 2026; it ends on 31 December 2027.': async (t, statement) => {
    const { 'x-deprecated-since': since, 'x-sunset': sunset } = operationOf('getPetById')?.extensions ?? {}
    const dates = [...statement.matchAll(/\d+ \w+ \d{4}/g)].map(([date]) => Date.parse(`${date} UTC`))
    t.strictSame(
      dates,
      [since, sunset].map((date) => Date.parse(String(date))),
    )
  },
  'The operation is `experimental`: a pet may gain fields.': async (t, statement) => {
    t.equal(operationOf('getPetById')?.extensions['x-stability'], codesIn(statement)[0])
  },
  'A deprecated operation states the date of its deprecation (`x-deprecated-since`) and the date from which it may be removed (`x-sunset`), which are also sent in the `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers.':
    provenBy(
      'test/plugins/deprecation.test.ts',
      'every response of a deprecated operation has Deprecation and Sunset',
      'an operation can have either extension or both',
    ),
}
