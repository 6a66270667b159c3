import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { withDelta } from '../../client/delta.ts'
import { parseExact } from '../../client/json.ts'
import { deltaIn, ordersIn } from '../../client/shapes.ts'
import { authorization, build } from '../fixtures/app.ts'
import { migratedDatabase, storeAt } from '../fixtures/postgres/orders.ts'

const url = '/v1/store/orders'
const manipulation = 'store-orders-delta'

type App = Awaited<ReturnType<typeof build>>
const ask = (app: App, headers: Record<string, string | undefined> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { authorization, 'a-im': manipulation, ...headers } })
const cancel = async (app: App, id: number | bigint) =>
  (await app.inject({ method: 'DELETE', url: `${url}/${id}`, headers: { authorization } })).statusCode
const etagOf = async (app: App) => String((await ask(app)).headers.etag)

/** The list after the changes, in JSON. */
function applied(list: string, delta: string): string {
  const orders = withDelta(ordersIn(parseExact(list)), deltaIn(parseExact(delta)))
  const text = JSON.stringify(orders, (_, value) => (typeof value === 'bigint' ? `int64 ${value}` : value))
  return text.replace(/"int64 (-?\d+)"/g, '$1')
}

t.test('whoever asks for changes gets them, with the ETag of the list as it is now', async (t) => {
  const app = await build(t)
  const first = await ask(app)
  t.equal(first.statusCode, 200)
  t.equal(await cancel(app, 1007), 204)
  const known = { 'if-none-match': String(first.headers.etag) }
  const changes = await ask(app, known)
  const whole = await app.inject({ url, headers: { authorization } })
  t.equal(changes.statusCode, 226)
  t.equal(changes.body, '{"removed":[1007],"changed":[],"appended":[]}')
  t.match(changes.headers, {
    im: manipulation,
    'delta-base': first.headers.etag,
    etag: whole.headers.etag,
    vary: 'Accept, Accept-Encoding, A-IM',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(changes.body.length),
  })
  const head = await ask(app, known, 'HEAD')
  t.strictSame([head.statusCode, head.body, head.headers['content-length']], [226, '', String(changes.body.length)])
  t.equal((await ask(app, { 'if-none-match': String(whole.headers.etag) })).statusCode, 304)
  const tags = `"a", ${known['if-none-match']}, W/"b"`
  t.equal((await ask(app, { 'if-none-match': tags })).headers['delta-base'], first.headers.etag)
})

t.test('whoever does not ask gets what they always got', async (t) => {
  const app = await build(t)
  const etag = await etagOf(app)
  await cancel(app, 1007)
  for (const other of [
    undefined,
    '',
    'gzip',
    'store-orders-delta;q=0',
    'vcdiff, store-orders-delta; q=0.00',
    'x'.repeat(2_000),
  ]) {
    const headers = { authorization, 'if-none-match': etag, ...(other !== undefined && { 'a-im': other }) }
    const { statusCode, headers: sent } = await app.inject({ url, headers })
    t.strictSame([statusCode, sent.im, sent.vary], [200, undefined, 'Accept, Accept-Encoding, A-IM'], String(other))
  }
  for (const same of ['gzip, store-orders-delta', 'STORE-ORDERS-DELTA;q=0.5']) {
    t.equal((await ask(app, { 'if-none-match': etag, 'a-im': same })).statusCode, 226, same)
  }
})

t.test('the whole list is sent where its changes are not known, would be longer, or cannot be read', async (t) => {
  const app = await build(t, { records: ['{"id":1}', '{"id":2}'] })
  t.equal((await ask(app, { 'if-none-match': 'W/"of-another-instance"' })).statusCode, 200)
  const unasked = String((await app.inject({ url, headers: { authorization } })).headers.etag)
  await cancel(app, 1)
  t.equal((await ask(app, { 'if-none-match': unasked })).statusCode, 200, 'longer')
  const large = await build(t)
  const etag = await etagOf(large)
  await cancel(large, 1007)
  const zipped = await ask(large, { 'if-none-match': etag, 'accept-encoding': 'gzip, identity;q=0' })
  t.strictSame([zipped.statusCode, zipped.headers['content-encoding']], [200, 'gzip'])
  t.equal((await ask(large, { 'if-none-match': etag, 'accept-encoding': 'gzip' })).statusCode, 226)
})

t.test('changes since any list that was sent, applied to it, give the list byte for byte', async (t) => {
  const ids = Array.from({ length: 3_000 }, (_, index) => 9007199254740993n + BigInt(index))
  const app = await build(t, { records: ids.map((id) => `{"id":${id},"quantity":1}`) })
  const sent: { etag: string; body: string }[] = []
  const property = fc.asyncProperty(fc.array(fc.nat(2_999), { maxLength: 5 }), fc.nat(), async (cancels, pick) => {
    for (const index of cancels) await cancel(app, ids[index] as bigint)
    const { headers, body } = await app.inject({ url, headers: { authorization, 'a-im': manipulation } })
    const known = sent[pick % sent.length]
    sent.push({ etag: String(headers.etag), body })
    if (!known) return
    const changes = await ask(app, { 'if-none-match': known.etag })
    if (changes.statusCode === 304) assert.equal(known.body, body)
    else {
      assert.equal(changes.statusCode, 226)
      assert.equal(applied(known.body, changes.body), body)
    }
  })
  await fc.assert(property, { numRuns: 60 })
})

t.test('with PostgreSQL, changes include what other services wrote', async (t) => {
  const db = await migratedDatabase(t)
  const app = await build(t, { orders: storeAt(t, db.url) })
  await db.query('INSERT INTO store_orders.orders (id) SELECT generate_series(1, 3000)')
  const first = await ask(app)
  const known = { 'if-none-match': String(first.headers.etag) }
  await cancel(app, 2)
  await db.query('UPDATE store_orders.orders SET quantity = 5 WHERE id = 1500')
  await db.query('DELETE FROM store_orders.orders WHERE id = 2999')
  await db.query('INSERT INTO store_orders.orders (id, pet_id) VALUES (9223372036854775807, 7)')
  const changes = await ask(app, known)
  t.equal(changes.statusCode, 226)
  t.equal(
    changes.body,
    '{"removed":[2,2999],"changed":[{"id":1500,"quantity":5}],"appended":[{"id":9223372036854775807,"petId":7}]}',
  )
  t.equal(applied(first.body, changes.body), (await app.inject({ url, headers: { authorization } })).body)
  await db.query('TRUNCATE store_orders.orders')
  t.equal((await ask(app, known)).statusCode, 200, 'all are removed: the empty list is shorter')
})
