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
  'test/plugins/contract/input.test.ts',
  'an identifier in a path is a 64-bit integer in plain decimal digits',
)

export const behavior: Record<string, Check> = {
  'List the orders placed': keepsOrder,
  'listOrders-200: All orders.': keepsOrder,
  'All paths are relative': async (t, statement) => {
    const [base = ''] = codesIn(statement)
    t.ok(model.servers.every(({ url }) => url.endsWith(base)))
    const app = await build(t)
    for (const { path } of operations) t.equal((await app.inject(pathOf(path))).statusCode, 404)
  },
  'Bodies are JSON': async (t) => {
    const media = operations.flatMap(({ body, responses }) => [body, ...responses].flatMap((one) => one?.media ?? []))
    t.strictSame([...new Set(media.map(({ type }) => type))], ['application/json'])
    const { ask } = await serve(t)
    t.match((await ask('GET', list)).headers['content-type'], /^application\/json\b/)
  },
  'Every operation requires an API key': async (t, statement) => {
    const { app } = await serve(t)
    for (const { method, path } of operations) {
      const request = { method: method as 'GET', url: `/v1${pathOf(path)}` }
      t.equal((await app.inject(request)).statusCode, 401, path)
      const [name = '', value = ''] = codesIn(statement).join().split(': ')
      const headers = { [name]: value.replace('<API_KEY>', 'test-key') }
      t.not((await app.inject({ ...request, headers })).statusCode, 401, path)
    }
  },
  'A missing, invalid, expired or revoked key': provenBy(
    'test/plugins/auth.test.ts',
    'without credentials of the scheme, the challenge of the 401 has no error',
    'an invalid key is rejected with 401 and the error invalid_token',
    'a revoked or replaced key is rejected on open connections too',
    'an expired key is rejected on open connections too',
  ),
  'A key can be read-only': provenBy(
    'test/plugins/rate-limits.test.ts',
    'the keys of a name share a quota, which 403 responses also use',
  ),
  'are signed 64-bit integers': async (t, statement) => {
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
  'In a path, write an identifier': takesPlainDigits,
  'Anything else is rejected with 400.': takesPlainDigits,
  'cancelOrder-orderId: Identifier of the order to cancel, in plain decimal digits.': takesPlainDigits,
  'getPetById-petId: Identifier of the pet, in plain decimal digits.': takesPlainDigits,
  '-400: The identifier is not a 64-bit integer in plain decimal digits': takesPlainDigits,
  'Every request can be repeated safely': async (t, statement) => {
    await readsChangeNothing(t, statement)
    await cancelsOnce(t, statement)
  },
  'A cancellation cannot be undone': async (t) => {
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
  'Exactly one request gets the 204': cancelsOnce,
  'Cancelling again': cancelsOnce,
  'Of any number of concurrent requests': cancelsOnce,
  'Retrying is safe': async (t, statement) => {
    await retriesAfterLostResponse(t, statement)
    await retriesAfter503(t, statement)
  },
  'cancel again**: 204': retriesAfter503,
  'A cancelled order leaves the list': cancelsOnce,
  'Cancels a pending order': cancelsOnce,
  'cancelOrder-204: The order has been cancelled.': cancelsOnce,
  'An order that has shipped': hasStatusOfItsOwn,
  'Orders have no status field': hasStatusOfItsOwn,
  '`complete` does not decide': hasStatusOfItsOwn,
  'Its status does': hasStatusOfItsOwn,
  'Absent fields are omitted': async (t) => {
    const { ask } = await serve(t, { records: ['{"id":1}'] })
    t.strictSame((await ask('GET', list)).body, [{ id: 1 }])
  },
  'in the order in which they were placed': keepsOrder,
  'There are no parameters': async (t) => {
    t.strictSame(operationOf('listOrders')?.parameters, [])
  },
  'Returns the pet if any order refers to it': looksUpPet,
  'getPetById-200: The pet.': looksUpPet,
  'schema-Pet: A pet that an order refers to.': looksUpPet,
  'schema-Pet-id: Unique pet identifier.': looksUpPet,
  'schema-Order-petId: Identifier of the animal in the order.': looksUpPet,
  '**Deprecated** since': async (t, statement) => {
    const { 'x-deprecated-since': since, 'x-sunset': sunset } = operationOf('getPetById') ?? {}
    const dates = [...statement.matchAll(/\d+ \w+ \d{4}/g)].map(([date]) => Date.parse(`${date} UTC`))
    t.strictSame(
      dates,
      [since, sunset].map((date) => Date.parse(String(date))),
    )
  },
  'The operation is `experimental`': async (t, statement) => {
    t.equal(operationOf('getPetById')?.['x-stability'], codesIn(statement)[0])
  },
  'A deprecated operation states': async (t, statement) => {
    const { ask } = await serve(t)
    const { headers } = await ask('GET', pet(504))
    for (const operation of operations.filter(({ deprecated }) => deprecated)) {
      const [since, sunset, deprecation, ends] = codesIn(statement)
      const { [since as 'x-sunset']: from, [sunset as 'x-sunset']: until } = operation
      t.equal(headers[String(deprecation).toLowerCase()], `@${Date.parse(String(from)) / 1000}`)
      t.equal(headers[String(ends).toLowerCase()], new Date(String(until)).toUTCString())
    }
  },
}
