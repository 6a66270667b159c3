import t from 'tap'
import { authorization, build, changed } from '../fixtures/app.ts'

const url = '/v1/store/orders/1007'

/** The document with another parameter for cancelOrder. */
const withParameter = (parameter: object) =>
  changed(({ paths }) => {
    paths['/store/orders/{orderId}']?.delete?.parameters?.push(parameter as never)
  })

t.test('what is not int64 is validated by Ajv', async (t) => {
  const document = withParameter({ name: 'reason', in: 'query', schema: { type: 'string', maxLength: 3 } })
  const app = await build(t, { document })
  const request = { method: 'DELETE', url, headers: { authorization } } as const
  const refused = await app.inject({ ...request, query: { reason: 'long' } })
  t.equal(refused.statusCode, 400)
  t.strictSame(refused.json(), {
    code: 'invalid_request',
    message: 'querystring/reason must NOT have more than 3 characters.',
    status: 400,
  })
  t.equal((await app.inject({ ...request, query: { reason: 'ok' } })).statusCode, 204)
})

t.test('a path may mix int64 parameters with others', async (t) => {
  const document = changed(({ paths }) => {
    const item = paths['/store/orders/{orderId}']
    item?.delete?.parameters?.push({
      name: 'shop',
      in: 'path',
      required: true,
      schema: { type: 'integer', maximum: 9 },
    })
    paths['/shops/{shop}/orders/{orderId}'] = item
    delete paths['/store/orders/{orderId}']
  })
  const app = await build(t, { document })
  const cancel = (shop: string, id: string) =>
    app.inject({ method: 'DELETE', url: `/v1/shops/${shop}/orders/${id}`, headers: { authorization } })
  t.equal((await cancel('10', '1007')).json().message, 'params/shop must be <= 9.')
  t.equal((await cancel('1', 'x')).statusCode, 400)
  t.equal((await cancel('1', '1007')).statusCode, 204)
})

t.test('a schema that strict Ajv refuses stops the start', async (t) => {
  const document = withParameter({ name: 'reason', in: 'query', schema: { type: 'string', format: 'daet' } })
  const app = await build(t, { document })
  await t.rejects(async () => app.ready(), /DELETE: \/v1\/store\/orders\/:orderId, due to error unknown format "daet"/)
})
