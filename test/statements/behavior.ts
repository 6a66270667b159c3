// Authentication, identifiers, orders and pets.
import { type AddressInfo, connect } from 'node:net'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import { requestsOf } from '../document-walk/requests.ts'
import { authorization, build, storeOf } from '../fixtures/app.ts'
import { until } from '../fixtures/until.ts'
import { type Check, codesIn, document, list, model, order, pet, provenBy, serve } from './server.ts'

const { operations } = model
const operationOf = (id: string) => operations.find((one) => one.id === id)
const pathOf = (path: string) => path.replace('{orderId}', '1007').replace('{petId}', '504')
/** 64-bit integers, including the largest and the smallest. */
const exact = ['9007199254740993', '9223372036854775807', '-9223372036854775808']

const cancelsOnce: Check = async (t) => {
  const { ask, listed } = await serve(t)
  const responses = await Promise.all([1, 2, 3].map(() => ask('DELETE', order(1007))))
  t.strictSame(responses.map(({ status, body: { code } }) => code ?? status).toSorted(), [
    204,
    'order_already_cancelled',
    'order_already_cancelled',
  ])
  t.notOk((await listed()).includes(1007))
}

const readsChangeNothing: Check = async (t) => {
  const { ask } = await serve(t)
  const state = async () => {
    const { body, headers } = await ask('GET', list)
    return { body, etag: headers.etag }
  }
  const before = await state()
  for (const { method, path } of operations.filter(({ method }) => method === 'GET')) {
    const first = await ask('GET', pathOf(path))
    const { status, body } = await ask('GET', pathOf(path))
    t.strictSame([status, body], [first.status, first.body], `${method} ${path}`)
    t.strictSame(await state(), before, `${method} ${path}`)
  }
}

/** The client disconnects once the cancellation has taken effect, without having read the response. */
const retriesAfterLostResponse: Check = async (t) => {
  const { app, ask, listed } = await serve(t)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write(`DELETE /v1${order(1007)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`)
  await until(async () => !(await listed()).includes(1007))
  socket.destroy()
  const { status, body } = await ask('DELETE', order(1007))
  t.strictSame([status, body.code], [404, 'order_already_cancelled'])
}

/** The store fails before or after it has cancelled the order. */
const retriesAfter503: Check = async (t) => {
  for (const hasTakenEffect of [false, true]) {
    const orders = await storeOf(t)
    const cancel: typeof orders.cancel = async (id) => {
      if (hasTakenEffect) await orders.cancel(id)
      failing.cancel = orders.cancel
      throw new StoreUnavailableError('planted', 1)
    }
    const failing = { ...orders, cancel }
    const { ask, listed } = await serve(t, { orders: failing })
    t.equal((await ask('DELETE', order(1007))).status, 503)
    t.equal((await listed()).includes(1007), !hasTakenEffect)
    const { status, body } = await ask('DELETE', order(1007))
    t.strictSame([status, body.code], hasTakenEffect ? [404, 'order_already_cancelled'] : [204, undefined])
    t.notOk((await listed()).includes(1007))
  }
}

const keepsOrder: Check = async (t) => {
  const { ask, listed } = await serve(t, { records: ['{"id":3}', '{"id":1}', '{"id":2}'] })
  t.strictSame(await listed(), [3, 1, 2])
  await ask('DELETE', order(1))
  t.strictSame(await listed(), [3, 2])
}

const hasStatusOfItsOwn: Check = async (t) => {
  const records = ['{"id":1,"complete":true,"status":"pending"}', '{"id":2,"complete":false,"status":"shipped"}']
  const { ask } = await serve(t, { records })
  t.strictSame((await ask('GET', list)).body, [
    { id: 1, complete: true },
    { id: 2, complete: false },
  ])
  t.equal((await ask('DELETE', order(1))).status, 204)
  t.equal((await ask('DELETE', order(2))).status, 409)
  t.notOk('status' in (model.schemas.get('Order')?.properties ?? {}))
}

const looksUpPet: Check = async (t) => {
  const { ask } = await serve(t, { records: ['{"id":1,"petId":7,"status":"cancelled"}', '{"id":2,"petId":8}'] })
  t.strictSame((await ask('GET', list)).body, [{ id: 2, petId: 8 }])
  for (const id of [7, 8]) t.strictSame((await ask('GET', pet(id))).body, { id })
  t.equal((await ask('GET', pet(9))).status, 404)
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
    const { app } = await serve(t)
    for (const { method, path } of operations) {
      const request = { method: method as 'GET', url: `/v1${pathOf(path)}` }
      t.equal((await app.inject(request)).statusCode, 401, path)
      const [name = '', value = ''] = codesIn(statement).join().split(': ')
      const headers = { [name]: value.replace('<API_KEY>', 'test-key') }
      t.not((await app.inject({ ...request, headers })).statusCode, 401, path)
    }
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
  '`id`, `petId` and `orderId` are signed 64-bit integers, exact to the last digit.': async (t, statement) => {
    t.strictSame(codesIn(statement), ['id', 'petId', 'orderId'])
    const { app, ask } = await serve(t, { records: exact.map((id) => `{"id":${id},"petId":${id}}`) })
    const { body } = await app.inject({ url: `/v1${list}`, headers: { authorization } })
    t.strictSame(
      body.match(/-?\d+/g),
      exact.flatMap((id) => [id, id]),
    )
    for (const id of exact) {
      t.equal((await app.inject({ url: `/v1${pet(id)}`, headers: { authorization } })).body, `{"id":${id}}`)
      t.equal((await ask('DELETE', order(id))).status, 204)
    }
  },
  'In a path, write an identifier in plain decimal digits.': takesPlainDigits,
  'Anything else is rejected with 400.': takesPlainDigits,
  'cancelOrder-orderId: Identifier of the order to cancel, in plain decimal digits.': takesPlainDigits,
  'getPetById-petId: Identifier of the pet, in plain decimal digits.': takesPlainDigits,
  'Every request can be repeated safely, without an idempotency key.': async (t, statement) => {
    await readsChangeNothing(t, statement)
    await cancelsOnce(t, statement)
  },
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
    async (t, statement) => {
      await retriesAfterLostResponse(t, statement)
      await retriesAfter503(t, statement)
    },
  '**After a lost response, a 500 or a 503, cancel again**: 204 and `order_already_cancelled` both mean that the order is cancelled.':
    retriesAfter503,
  '**A cancelled order leaves the list.**': cancelsOnce,
  'Cancels a pending order; it then leaves the list.': cancelsOnce,
  'cancelOrder-204: The order has been cancelled.': cancelsOnce,
  'An order that has shipped cannot be cancelled: the response is 409.': hasStatusOfItsOwn,
  'Orders have no status field, so the list is the only place that shows a cancellation.': hasStatusOfItsOwn,
  '**`complete` does not decide whether an order can be cancelled.**': hasStatusOfItsOwn,
  'Its status does, and that is not exposed.': hasStatusOfItsOwn,
  '**Absent fields are omitted**, never `null`.': async (t) => {
    const { ask } = await serve(t, { records: ['{"id":1}'] })
    t.strictSame((await ask('GET', list)).body, [{ id: 1 }])
  },
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
    async (t, statement) => {
      const { ask } = await serve(t)
      const { headers } = await ask('GET', pet(504))
      for (const operation of operations.filter(({ deprecated }) => deprecated)) {
        const [since, sunset, deprecation, ends] = codesIn(statement)
        const { [since as 'x-sunset']: from, [sunset as 'x-sunset']: until } = operation.extensions
        t.equal(headers[String(deprecation).toLowerCase()], `@${Date.parse(String(from)) / 1000}`)
        t.equal(headers[String(ends).toLowerCase()], new Date(String(until)).toUTCString())
      }
    },
}
