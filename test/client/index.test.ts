import t from 'tap'
import { createClient } from '../../client/index.ts'
import { loadDocument, operationsOf } from '../../spec/document.ts'
import { key } from '../fixtures/app.ts'
import { answering, json } from './answering.ts'
import { connect, failureOf } from './connect.ts'

t.test('there is a function for every operation of the document, and for nothing else', async (t) => {
  const operationIds = operationsOf(loadDocument()).map(({ operation }) => operation.operationId)
  t.strictSame(Object.keys(createClient({ baseUrl: '', apiKey: '' })).sort(), operationIds.sort())
})

t.test('orders are listed with exact identifiers, other numbers as numbers, and nothing that they lack', async (t) => {
  const { client } = await connect(t, {
    records: [
      '{"id":9223372036854775807,"petId":-9223372036854775808,"quantity":2,"shipDate":"2026-12-04T09:00:00Z"}',
      '{"id":9007199254740993,"complete":false}',
      '{"id":0}',
    ],
  })
  t.strictSame(await client.listOrders(), [
    {
      id: 9223372036854775807n,
      petId: -9223372036854775808n,
      quantity: 2,
      shipDate: '2026-12-04T09:00:00.000Z',
    },
    { id: 9007199254740993n, complete: false },
    { id: 0n },
  ])
})

t.test('exactly the order with this identifier is cancelled', async (t) => {
  const { client } = await connect(t, { records: ['{"id":9007199254740992}', '{"id":9007199254740993}', '{"id":-5}'] })
  t.equal(await client.cancelOrder(9007199254740993n), undefined)
  t.equal(await client.cancelOrder(-5n), undefined)
  t.strictSame(await client.listOrders(), [{ id: 9007199254740992n }])
})

t.test('a pet is looked up by its exact identifier', async (t) => {
  const { client } = await connect(t, { records: ['{"id":1,"petId":9007199254740993}'] })
  t.strictSame(await client.getPetById(9007199254740993n), { id: 9007199254740993n })
  t.match(await failureOf(() => client.getPetById(9007199254740992n)), { code: 'pet_not_found' })
})

t.test('an unchanged list is the very same array, and is not sent again', async (t) => {
  const { client, statuses } = await connect(t)
  const first = await client.listOrders()
  t.equal(await client.listOrders(), first)
  await client.cancelOrder(1007n)
  const second = await client.listOrders()
  t.equal(await client.listOrders(), second)
  t.strictSame(statuses, [200, 304, 204, 226, 304])
  t.ok(second.every((order) => first.includes(order)))
  t.equal(second.length, first.length - 1)
  t.ok([first, ...first, second].every(Object.isFrozen))
})

t.test('changes that are not of the list it has are not applied: the whole list is asked for', async (t) => {
  const changes = '{"removed":[5],"changed":[],"appended":[{"id":2}]}'
  const { baseUrl, asked } = await answering(
    t,
    json(226, changes, { etag: '"a"' }),
    json(200, '[{"id":1}]', { etag: '"b"' }),
    json(226, changes, { etag: '"c"' }),
    json(200, '[{"id":2}]', { etag: '"c"' }),
    json(226, '{"removed":[2],"changed":[],"appended":[{"id":9007199254740993}]}', { etag: '"d"' }),
    json(226, '{"removed":["2"]}', { etag: '"e"' }),
  )
  const client = createClient({ baseUrl, apiKey: key })
  t.strictSame(await client.listOrders(), [{ id: 1n }])
  t.strictSame(await client.listOrders(), [{ id: 2n }])
  t.equal(asked.length, 4)
  t.strictSame(await client.listOrders(), [{ id: 9007199254740993n }])
  t.match(await failureOf(() => client.listOrders()), { name: 'UnexpectedAnswerError', status: 226 })
})

t.test('a list without an ETag is asked for anew', async (t) => {
  const { baseUrl } = await answering(t, json(200, '[]'))
  const client = createClient({ baseUrl, apiKey: key })
  const first = await client.listOrders()
  const second = await client.listOrders()
  t.strictSame([first, second], [[], []])
  t.not(first, second)
})

t.test('an identifier that is no bigint is not sent', async (t) => {
  const { client, statuses } = await connect(t)
  const message = 'An identifier is a bigint, like 1007n. This is a number.'
  await t.rejects(client.cancelOrder(1007 as never), new TypeError(message))
  await t.rejects(client.getPetById(504 as never), new TypeError(message))
  t.strictSame(statuses, [])
})
