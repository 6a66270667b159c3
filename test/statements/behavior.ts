// Authentication, identifiers, orders and pets.
import { digestOf } from '../../config/keys/key.ts'
import { keySet } from '../../config/keys/key-set.ts'
import { authorization, build, readOnlyAuthorization } from '../fixtures/app.ts'
import { answers, answersFor, type Check, codesIn, list, model, order, pet, requestsFor, serve } from './server.ts'

const { operations } = model
const operationOf = (id: string) => operations.find((one) => one.id === id)
const pathOf = (path: string) => path.replace('{orderId}', '1007').replace('{petId}', '504')

const cancelsOnce: Check = async (t) => {
  const { ask, listed } = await serve(t)
  const responses = await Promise.all(Array.from({ length: 9 }, () => ask('DELETE', order(1007))))
  const [succeeded, ...others] = responses.toSorted((one, other) => one.status - other.status)
  t.match(succeeded, { status: 204, body: '' })
  for (const other of others) t.match(other, { status: 404, body: { code: 'order_already_cancelled' } })
  t.notOk((await listed()).includes(1007))
}

export const keepsOrder: Check = async (t) => {
  const more = ['{"id":1,"petId":2}', '{"id":4,"status":"cancelled"}', '{"id":2,"complete":true,"status":"pending"}']
  const { ask } = await serve(t, { records: ['{"id":3}', ...more] })
  t.strictSame((await ask('GET', list)).body, [{ id: 3 }, { id: 1, petId: 2 }, { id: 2, complete: true }])
}

const hasStatusOfItsOwn: Check = async (t) => {
  t.notOk('status' in (model.schemas.get('Order')?.properties ?? {}))
  const records = ['{"id":1,"complete":true,"status":"pending"}', '{"id":2,"complete":false,"status":"shipped"}']
  const { ask, listed } = await serve(t, { records })
  t.equal((await ask('DELETE', order(1))).status, 204)
  t.equal((await ask('DELETE', order(2))).status, 409)
  t.strictSame(await listed(), [2])
}

const looksUpPet: Check = async (t) => {
  const { ask } = await serve(t, { records: ['{"id":1,"petId":5,"status":"cancelled"}'] })
  t.match(await ask('GET', pet(5)), { status: 200, body: { id: 5 } })
  t.match(await ask('GET', pet(6)), { status: 404, body: { code: 'pet_not_found' } })
}

const takesPlainDigits: Check = async (t) => {
  const { ask } = await serve(t)
  for (const url of [order, pet]) {
    for (const digits of ['0', '-5', '9223372036854775807'])
      t.equal((await ask('GET', pet(digits))).status, 404, digits)
    for (const text of ['x', '007', '+1', '1e3', '0x10', '1.0', '9223372036854775808'])
      t.equal((await ask(url === pet ? 'GET' : 'DELETE', url(text))).status, 400, text)
  }
}

export const behavior: Record<string, Check> = {
  'List the orders placed in a pet store, and cancel one while it is still pending.': cancelsOnce,
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
  'A missing, invalid, expired or revoked key is rejected with 401, whether or not the order exists.': async (t) => {
    const lasting = { name: 'shop', isReadOnly: false, endsAt: Infinity }
    const old = [digestOf('old'), { ...lasting, endsAt: 0 }] as const
    const keys = keySet(new Map([old, [digestOf('gone'), lasting]]))
    keys.replace(new Map([old]))
    const { ask } = await serve(t, { keys })
    for (const authorization of ['', 'Bearer wrong', 'Bearer old', 'Bearer gone']) {
      for (const id of [1007, 1])
        t.equal((await ask('DELETE', order(id), { authorization })).status, 401, authorization)
    }
  },
  'A key can be read-only: cancelling with it is rejected with 403.': async (t) => {
    const { ask, listed } = await serve(t)
    t.equal((await ask('DELETE', order(1007), { authorization: readOnlyAuthorization })).status, 403)
    t.ok((await listed()).includes(1007))
  },
  '`id`, `petId` and `orderId` are signed 64-bit integers, exact to the last digit.': async (t) => {
    const record = '{"id":9223372036854775807,"petId":-9223372036854775808}'
    const { app, ask } = await serve(t, { records: [record] })
    const textAt = async (path: string) => (await app.inject({ url: `/v1${path}`, headers: { authorization } })).body
    t.equal(await textAt(list), `[${record}]`)
    t.equal(await textAt(pet('-9223372036854775808')), '{"id":-9223372036854775808}')
    t.equal((await ask('DELETE', order('9223372036854775806'))).status, 404)
    t.equal((await ask('DELETE', order('9223372036854775807'))).status, 204)
  },
  'In a path, write an identifier in plain decimal digits.': takesPlainDigits,
  'Anything else is rejected with 400.': takesPlainDigits,
  'cancelOrder-orderId: Identifier of the order to cancel, in plain decimal digits.': takesPlainDigits,
  'getPetById-petId: Identifier of the pet, in plain decimal digits.': takesPlainDigits,
  'Every request can be repeated safely, without an idempotency key.': async (t) => {
    const { send, listed } = await serve(t)
    for (const request of requestsFor('2')) {
      await send(request)
      const before = await listed()
      await send(request)
      t.strictSame(await listed(), before)
    }
  },
  'A cancellation cannot be undone.': async (t) => {
    const { ask, send, listed } = await serve(t)
    await ask('DELETE', order(1007))
    for (const request of requestsFor('2')) await send(request)
    t.notOk((await listed()).includes(1007))
    t.equal((await ask('DELETE', order(1007))).body.code, 'order_already_cancelled')
  },
  '**Exactly one request gets the 204.**': cancelsOnce,
  'Cancelling again returns 404 `order_already_cancelled`.': cancelsOnce,
  'Of any number of concurrent requests to cancel an order, exactly one gets 204; the others get 404 with the code `order_already_cancelled`.':
    cancelsOnce,
  'Retrying is safe: after a lost response or a 503, that code means that the order is cancelled, possibly by an earlier attempt.':
    cancelsOnce,
  '**After a lost response, a 500 or a 503, cancel again**: 204 and `order_already_cancelled` both mean that the order is cancelled.':
    cancelsOnce,
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
    t.strictSame(dates, [Date.parse(String(since)), Date.parse(String(sunset))])
  },
  'The operation is `experimental`: a pet may gain fields.': async (t, statement) => {
    t.equal(operationOf('getPetById')?.extensions['x-stability'], codesIn(statement)[0])
  },
  'A deprecated operation states the date of its deprecation (`x-deprecated-since`) and the date from which it may be removed (`x-sunset`), which are also sent in the `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) headers.':
    async (t) => {
      for (const { id, deprecated, responses } of operations) {
        for (const { status, headers } of responses) {
          const names = headers.map(({ name }) => name).filter((name) => /^(Deprecation|Sunset)$/.test(name))
          if (status.startsWith('2')) t.equal(names.length, deprecated ? 2 : 0, id)
          // Some are of the parser, which knows no operation.
          const sent = answersFor(`${id}-${status}: `).filter((answer) => answer.headers.connection !== 'close')
          const hasAll = sent.some((answer) => names.every((name) => name.toLowerCase() in answer.headers))
          if (sent.length > 0) t.ok(hasAll, `${id} ${status}`)
        }
      }
    },
}
