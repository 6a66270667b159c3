// When a list must be read from the tables again, and when not: rewritten tables, crashes, restored dumps, gaps.
import t from 'tap'
import { BLOCK_SIZE } from '../../../store/page.ts'
import { volatile } from '../../postgres/cluster.js'
import { database, lockWaits, sessionOn } from '../../postgres/database.ts'
import { insert, json, migratedCluster, readerAt, shop } from '../../postgres/orders.ts'
import { countIn, listOf } from '../list.ts'

t.test('a table rewritten while an instance starts is read after the rewrite', async (t) => {
  const { db, store } = await shop(t, 2)
  await db.query('BEGIN; ALTER TABLE store_orders.orders ADD COLUMN note uuid DEFAULT gen_random_uuid()')
  const list = listOf(store)
  await lockWaits(t, db.url, 1)
  await db.query('COMMIT')
  t.equal(await list, json(1, 2))
})

t.test('a table rewritten while many changed pages are read is read after the rewrite', async (t) => {
  const { db, store } = await shop(t, 20 * BLOCK_SIZE)
  await store.list()
  await db.query('DELETE FROM store_orders.orders WHERE id % 2 = 0')
  await db.query('BEGIN; ALTER TABLE store_orders.orders ADD COLUMN note uuid DEFAULT gen_random_uuid()')
  const list = store.list()
  await lockWaits(t, db.url, 1)
  await db.query('COMMIT')
  t.equal(countIn(await list), 10 * BLOCK_SIZE)
})

t.test('a table truncated and refilled during a long read has its new orders', async (t) => {
  const { db, store } = await shop(t, 2)
  const writer = await sessionOn(t, db.url)
  await db.query('BEGIN; SELECT FROM store_orders.orders')
  const replaced = writer.query(`BEGIN; TRUNCATE store_orders.orders;
    INSERT INTO store_orders.orders (id) VALUES (3); COMMIT`)
  await lockWaits(t, db.url, 1)
  const list = listOf(store)
  await lockWaits(t, db.url, 2)
  await db.query('COMMIT')
  await replaced
  t.equal(await list, json(3))
})

t.test('pages without orders are not read', async (t) => {
  const { db, reader } = await shop(t, 1)
  await db.query("SELECT setval('store_orders.orders_position_seq', 100000000)")
  await db.query(insert, [2, 2])
  t.equal((await reader.list()).length, 1, 'both are in one page')
  t.equal(reader.sent().filter((name) => name === 'read-pages').length, 1)
})

t.test('orders far apart are read in batches, and fill pages as others do', async (t) => {
  const { db } = await shop(t)
  const count = 4100
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  await db.query(
    `INSERT INTO store_orders.orders (id, position) OVERRIDING SYSTEM VALUE
      SELECT id, id * ${BLOCK_SIZE} FROM generate_series(1, ${count}) AS id`,
  )
  const reader = readerAt(t, db.url)
  t.equal(await reader.json(), json(...ids))
  const sent = reader.sent()
  t.equal(sent.filter((name) => name === 'existing-pages').length, 2)
  t.equal(sent.filter((name) => name === 'read-pages').length, Math.ceil(count / 64))
  t.ok((await reader.list()).length < 20)
  await db.query(`UPDATE store_orders.orders SET status = 'cancelled' WHERE id % 2 = 0`)
  t.equal(await reader.json(), json(...ids.filter((id) => id % 2 === 1)))
})

t.test('a change prepared before a crash is in the list once it commits', async (t) => {
  const { cluster, run } = await migratedCluster(t, [...volatile, 'max_prepared_transactions=5'])
  await run('INSERT INTO store_orders.orders (id) VALUES (1), (2)')
  await run("BEGIN; INSERT INTO store_orders.orders (id) VALUES (3); PREPARE TRANSACTION 'insert'")
  await run(`BEGIN; UPDATE store_orders.orders SET status = 'cancelled' WHERE id = 1; PREPARE TRANSACTION 'cancel'`)
  await run(`CHECKPOINT`)
  await cluster.stop('immediate')
  await cluster.start()
  const reader = readerAt(t, cluster.url())
  t.equal(await reader.json(), json(1, 2))
  reader.sent()
  t.equal(await reader.json(), json(1, 2))
  t.strictSame(reader.sent(), ['changes-since'], 'until then, no page is read')
  await run("COMMIT PREPARED 'insert'")
  t.equal(await reader.json(), json(1, 2, 3))
  await run("COMMIT PREPARED 'cancel'")
  t.equal(await reader.json(), json(2, 3))
  reader.sent()
  t.equal(await reader.json(), json(2, 3))
  t.strictSame(reader.sent(), ['changes-since'])
})

t.test('while nothing commits, only snapshots are compared; a crash, which may reuse them, is detected', async (t) => {
  const { cluster, run } = await migratedCluster(t, [...volatile, 'autovacuum=off', 'wal_writer_delay=10s'])
  const reader = readerAt(t, cluster.url())
  await run('INSERT INTO store_orders.orders (id) VALUES (1)')
  await reader.list()
  await reader.list()
  reader.sent()
  t.equal(await reader.json(), json(1))
  t.strictSame(reader.sent(), ['is-same'])
  await run('CHECKPOINT')
  await run('INSERT INTO store_orders.orders (id) VALUES (2)')
  t.equal(await reader.json(), json(1, 2))
  t.strictSame(reader.sent(), ['is-same', 'changes-since'])
  await reader.list()
  t.strictSame(reader.sent(), ['changes-since'])
  await cluster.stop('immediate') // loses the last commit, and with it a transaction id
  await cluster.start()
  await run('INSERT INTO store_orders.orders (id) VALUES (3)')
  t.equal(await reader.json(), await readerAt(t, cluster.url()).json())
})

t.test('the log of another server, from a restored dump, makes everything be read once', async (t) => {
  const { db, reader } = await shop(t, 2)
  // As pg_restore fills the tables, on a server with lower transaction ids.
  await db.query(`UPDATE store_orders.order_log_epoch
    SET started = started - interval '1 day', pruned = '999999999999:999999999999:', next_prune = '999999999999:999999999999:'`)
  await db.query("INSERT INTO store_orders.order_log (xid, position) VALUES ('999999999999', 0)")
  await reader.list()
  t.strictSame(await db.query("SELECT FROM store_orders.order_log WHERE xid = '999999999999'"), [], 'it is deleted')
  reader.sent()
  await reader.list()
  t.strictSame(reader.sent(), ['changes-since'])
})

t.test('an epoch of another server is not trusted, even if restored by a transaction of the same number', async (t) => {
  const { db, reader } = await shop(t, 2)
  await reader.list()
  await db.query(`BEGIN; DELETE FROM store_orders.orders WHERE id = 1;
    CREATE TEMPORARY TABLE epoch AS SELECT token FROM store_orders.order_log_epoch; DELETE FROM store_orders.order_log;
    INSERT INTO store_orders.order_log_epoch (token, started)
      SELECT token, pg_postmaster_start_time() - interval '1 day' FROM epoch; COMMIT`)
  t.equal(await reader.json(), json(2))
})

t.test('the log is pruned while transactions are open, and an unchanged list is not read again', async (t) => {
  const [{ db, reader }, other] = [await shop(t), await database(t)]
  const writer = await sessionOn(t, db.url)
  await other.query('BEGIN; SELECT pg_current_xact_id()')
  await writer.query('BEGIN; INSERT INTO store_orders.orders (id) VALUES (3)')
  await db.query(insert, [1, 2])
  await reader.list()
  await db.query("SELECT store_orders.prune_order_log('0 seconds')")
  await reader.list()
  await db.query("SELECT store_orders.prune_order_log('0 seconds')")
  t.strictSame(await db.query('SELECT FROM store_orders.order_log'), [])
  reader.sent()
  await reader.list()
  t.strictSame(reader.sent(), ['changes-since'])
  await writer.query('COMMIT')
  await db.query("SELECT store_orders.prune_order_log('0 seconds')")
  t.equal(await reader.json(), json(3, 1, 2), 'what was not committed is kept')
  t.strictSame(reader.sent(), ['changes-since'])
})

t.test('servers may begin an epoch at once', async (t) => {
  const { db } = await shop(t)
  const other = await sessionOn(t, db.url)
  const renew = 'SELECT store_orders.renew_order_log()'
  await db.query(`BEGIN; ${renew}`)
  const waiting = other.query(renew)
  await lockWaits(t, db.url, 1)
  await db.query('COMMIT')
  await t.resolves(waiting)
})
