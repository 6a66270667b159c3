import assert from 'node:assert/strict'
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import t from 'tap'
import { fc } from 'test-kit/properties'
import { representationOf } from '../../plugins/list/representation.ts'
import { loadOrders } from '../../store/memory/load.ts'
import type { OrderStore } from '../../store/order-store.ts'
import { shop } from '../postgres/orders.ts'
import { listOf } from '../store/list.ts'
import { runCommand } from './command.ts'

const run = (args: string[], DATABASE_URL: string) => runCommand(args, { DATABASE_URL })
const etagOf = async (store: OrderStore) => representationOf(await store.list()).etag

const special = [
  '{"id":-5,"shipDate":"0000-02-29T23:59:59.999Z"}',
  '{"id":9223372036854775807,"status":"cancelled"}',
  '{"id":0,"status":"shipped","petId":-1,"complete":false}',
]

const between = 'WHERE id BETWEEN $1 AND $2'
const change = fc.record({
  first: fc.integer({ min: 1, max: 4000 }),
  count: fc.nat({ max: 2000 }),
  sql: fc.constantFrom(
    `INSERT INTO store_orders.orders (id, quantity, status)
      SELECT id, id % 9, CASE id % 7 WHEN 0 THEN 'shipped' ELSE 'pending' END FROM generate_series($1::int, $2::int) id
      ON CONFLICT DO NOTHING`,
    `DELETE FROM store_orders.orders ${between}`,
    `UPDATE store_orders.orders SET status = 'cancelled' ${between} AND status = 'pending'`,
    `UPDATE store_orders.orders SET quantity = coalesce(quantity, 0) + 1 ${between}`,
    `UPDATE store_orders.orders SET position = DEFAULT ${between}`,
    // as of INSERTs that are rolled back
    `SELECT nextval('store_orders.orders_position_seq') FROM generate_series($1::int, $2::int)`,
  ),
})

t.test('an export is read back to the same ETag and statuses, whatever the history of the database', async (t) => {
  const [{ db, store }, { db: other, store: copy }] = [await shop(t), await shop(t)]
  const dir = t.testdir({ 'orders.ndjson': special.join('\n') })
  t.match(await run(['import', `${dir}/orders.ndjson`], db.url), { code: 0 })
  const exported = async (url: string, name: string) => {
    assert.equal((await run(['export', `${dir}/${name}`], url)).code, 0)
    return `${dir}/${name}`
  }
  const same = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(4000), async (steps, id) => {
    for (const { first, count, sql } of steps) await db.query(sql, [first, first + count])
    const file = await exported(db.url, 'out.ndjson.gz')
    assert.equal((await run(['import', file, '--replace'], other.url)).code, 0)
    const stores = [store, copy, await loadOrders(file)]
    for (const orderId of [undefined, 0n, -5n, BigInt(id)]) {
      const outcomes = orderId === undefined ? [] : await Promise.all(stores.map((store) => store.cancel(orderId)))
      assert.ok(new Set(outcomes).size <= 1)
      const states = await Promise.all(stores.map(async (store) => [await etagOf(store), await store.countByStatus()]))
      assert.deepEqual(states[1], states[0])
      assert.deepEqual(states[2], states[0])
    }
    assert.equal(await listOf(copy), await listOf(store))
    const [text, textOfCopy] = [await exported(db.url, 'a.ndjson'), await exported(other.url, 'b.ndjson')]
    assert.equal(await readFile(textOfCopy, 'utf8'), await readFile(text, 'utf8'))
  })
  await t.resolves(fc.assert(same, { numRuns: 10 }))
})

t.test('an export is of one moment: an order that is placed anew meanwhile is in it once', async (t) => {
  const { db } = await shop(t, 8193)
  const { query } = pg.Client.prototype
  let batches = 0
  async function moving(this: pg.Client, ...given: [{ text?: string }]) {
    const isSecond = given[0].text?.includes('string_agg') && ++batches === 2
    if (isSecond) await db.query('UPDATE store_orders.orders SET position = DEFAULT WHERE id = 1')
    return query.apply(this, given as never)
  }
  t.intercept(pg.Client.prototype, 'query', { value: moving })
  t.match(await run(['export', `${t.testdir()}/orders.ndjson`], db.url), { stdout: 'Exported 8,193 orders.\n' })
  t.equal(batches, 2)
})

t.test('an export is on the disk before it gets its name', async (t) => {
  const { db } = await shop(t, 1)
  const dir = t.testdir({ other: '' })
  const handle = await open(`${dir}/other`)
  const handles: Pick<FileHandle, 'sync'> = Object.getPrototypeOf(handle)
  const { sync } = handles
  t.teardown(() => Object.assign(handles, { sync }))
  await handle.close()
  let present: string[] | undefined
  Object.assign(handles, {
    async sync(this: FileHandle) {
      await sync.call(this)
      present ??= await readdir(dir)
    },
  })
  t.match(await run(['export', `${dir}/orders.ndjson`], db.url), { code: 0 })
  t.strictSame(present?.sort(), ['orders.ndjson.partial', 'other'])
})

t.test('an export that fails leaves the file as it was', async (t) => {
  const { db } = await shop(t)
  const dir = t.testdir({ 'old.ndjson': 'old' })
  const fails = async (name: string, stderr: RegExp) =>
    t.match(await run(['export', `${dir}/${name}`], db.url), { code: 1, stderr })
  await fails('orders.csv', /orders\.csv must end in \.ndjson or \.ndjson\.gz\n$/)
  await fails('none/orders.ndjson', /orders\.ndjson cannot be written \(ENOENT\)\n$/)
  // An empty file could not be told from a broken one.
  await fails('old.ndjson', /^store-orders: there are no orders to export; \S+old\.ndjson was not written\n$/)
  await db.query('INSERT INTO store_orders.orders (id) VALUES (1)')
  await db.query('ALTER TABLE store_orders.orders RENAME COLUMN json TO other')
  await fails('old.ndjson', /column "json" does not exist/)
  t.strictSame([await readdir(dir), await readFile(`${dir}/old.ndjson`, 'utf8')], [['old.ndjson'], 'old'])
})
