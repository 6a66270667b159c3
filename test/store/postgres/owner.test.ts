// What an owner or an operator does beside the servers, in the transaction of a change: the next list has the change.
import { once } from 'node:events'
import process from 'node:process'
import pg from 'pg'
import t, { type Test } from 'tap'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { listReader } from '../../../store/postgres/list-reader.ts'
import { migrate } from '../../../store/postgres/migrate.ts'
import { until } from '../../fixtures/until.ts'
import { createCluster, volatile } from '../../postgres/cluster.js'
import type { Database } from '../../postgres/database.ts'
import { insert, json, migratedDatabase } from '../../postgres/orders.ts'
import { as, roleIn } from '../../postgres/roles.ts'
import { sessionOn } from './locks.ts'
import { readerAt } from './reader.ts'

const parent = 'CREATE TABLE parent (LIKE store_orders.orders INCLUDING GENERATED)'
const attach = `ALTER TABLE store_orders.orders ALTER position DROP IDENTITY;
  CREATE TABLE parent (LIKE store_orders.orders INCLUDING GENERATED) PARTITION BY RANGE (id);
  ALTER TABLE parent ATTACH PARTITION store_orders.orders DEFAULT`
const prune = "SELECT store_orders.prune_order_log('0 seconds')"

/** In one transaction each, around `DELETE ... WHERE id = 1` of one of three orders. */
const transactions = {
  'a partition for a moment': `${attach}; DELETE FROM parent WHERE id = 1; ALTER TABLE parent DETACH PARTITION store_orders.orders`,
  'a child for a moment': `${parent}; ALTER TABLE store_orders.orders INHERIT parent; DELETE FROM parent WHERE id = 1;
    ALTER TABLE store_orders.orders NO INHERIT parent`,
  'a child of a table without columns': `CREATE TABLE parent (); ALTER TABLE store_orders.orders INHERIT parent;
    DELETE FROM parent WHERE tableoid = 'store_orders.orders'::regclass; ALTER TABLE store_orders.orders NO INHERIT parent`,
  'an emptied log': 'DELETE FROM store_orders.orders WHERE id = 1; DELETE FROM store_orders.order_log',
  'a log whose rows are dated back': `DELETE FROM store_orders.orders WHERE id = 1;
    UPDATE store_orders.order_log SET xid = '3'`,
  'a pruned and renewed log': `DELETE FROM store_orders.orders WHERE id = 1; ${prune}; ${prune};
    SELECT store_orders.renew_order_log()`,
  'a trigger function that does nothing for a moment': `
    CREATE TABLE definition AS SELECT pg_get_functiondef('store_orders.log_change'::regproc) AS sql;
    CREATE OR REPLACE FUNCTION store_orders.log_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    DELETE FROM store_orders.orders WHERE id = 1;
    DO $$ BEGIN EXECUTE (SELECT sql FROM definition); END $$`,
  'columns whose names are exchanged': `ALTER TABLE store_orders.orders RENAME json TO other;
    ALTER TABLE store_orders.orders RENAME cancelled_json TO json`,
}

for (const [name, sql] of Object.entries(transactions)) {
  t.test(`${name} hides no change`, async (t) => {
    const { db, reader } = await listed(t)
    const { message = 'done' } = await db.query(`BEGIN; ${sql}; COMMIT`).then(
      () => ({}),
      (error) => error,
    )
    await db.query('ROLLBACK')
    t.match(message, /^done$|trigger "orders_moved" prevents table "orders" from becoming/)
    t.equal(await reader.json(), await table(db))
  })
}

/** A database with three orders that a reader has listed. */
async function listed(t: Test) {
  const db = await migratedDatabase(t)
  await db.query('ALTER TABLE store_orders.orders ADD COLUMN cancelled_json text DEFAULT \'{"id":0}\'')
  await db.query(insert, [1, 3])
  const reader = readerAt(t, db.url)
  t.equal(await reader.json(), json(1, 2, 3))
  return { db, reader }
}

/** The list as the table has it. */
async function table({ query }: Pick<Database, 'query'>) {
  const [row] = await query<{ list: string }>(
    `SELECT '[' || coalesce(string_agg(json, ',' ORDER BY position), '') || ']' AS list
    FROM ONLY store_orders.orders WHERE status <> 'cancelled'`,
  )
  return row?.list
}

t.test('a dump restored into the tables of a running server is another log', async (t) => {
  const { db, reader } = await listed(t)
  await db.query(`CREATE TABLE log AS SELECT * FROM store_orders.order_log;
    CREATE TABLE epoch AS SELECT * FROM store_orders.order_log_epoch`)
  await db.query(insert, [4, 5])
  t.equal(await reader.json(), json(1, 2, 3, 4, 5))
  await db.query('DELETE FROM store_orders.orders WHERE id > 3')
  await db.query('DELETE FROM store_orders.order_log; DELETE FROM store_orders.order_log_epoch')
  await db.query(`INSERT INTO store_orders.order_log SELECT * FROM log;
    INSERT INTO store_orders.order_log_epoch SELECT * FROM epoch`)
  t.equal(await reader.json(), json(1, 2, 3))
})

t.test('an epoch that was logged during a crash is no longer trusted', async (t) => {
  const cluster = await createCluster({ settings: [...volatile, 'synchronous_commit=on', 'max_connections=20'] })
  t.teardown(() => cluster.remove())
  await cluster.start()
  await migrate(parseConnectionString(cluster.url(), {}))
  const admin = async (sql: string) => {
    const client = new pg.Client(cluster.url())
    client.on('error', () => {})
    await client.connect()
    return client.query(sql).finally(() => client.end())
  }
  await admin('INSERT INTO store_orders.orders (id) VALUES (1), (2), (3); CHECKPOINT')
  const reader = readerAt(t, cluster.url())
  t.equal(await reader.json(), json(1, 2, 3))
  await admin('ALTER TABLE store_orders.order_log_epoch SET LOGGED')
  t.equal(await reader.json(), json(1, 2, 3))
  await admin('DELETE FROM store_orders.orders WHERE id = 1')
  const victim = await sessionOn(t, cluster.url())
  const died = once(victim, 'error')
  process.kill((await victim.query('SELECT pg_backend_pid() AS pid')).rows[0].pid, 'SIGKILL')
  await died
  await until(() => admin('SELECT').then(Boolean, () => false))
  t.equal(await reader.json(), json(2, 3))
  await admin('ALTER TABLE store_orders.order_log_epoch SET UNLOGGED')
  t.equal(await reader.json(), json(2, 3))
})

t.test('a log that is published makes no list fail', async (t) => {
  const { db, reader } = await listed(t)
  await db.query('ALTER TABLE store_orders.order_log SET LOGGED; CREATE PUBLICATION everything FOR ALL TABLES')
  await db.query('DELETE FROM store_orders.orders WHERE id = 1').catch(() => {})
  t.equal(await reader.json(), await table(db))
  await db
    .query("UPDATE store_orders.order_log_epoch SET next_prune = '1000000:1000000:', pruned_at = '-infinity'")
    .catch(() => {})
  t.equal(await readerAt(t, db.url).json(), await table(db))
})

t.test('row level security on the log hides no change from a session without the settings', async (t) => {
  const db = await migratedDatabase(t)
  const role = await roleIn(t, db, 'role')
  await migrate(parseConnectionString(db.url, {}), { grant: role })
  await db.query(insert, [1, 3])
  const client = await sessionOn(t, as(db.url, role))
  const read = listReader()
  const list = async () =>
    (await read({ query: async (query, values) => (await client.query({ ...query, values: values ?? [] })).rows }))
      .map((page) => page.json())
      .join('')
  t.equal(await list(), `,${json(1, 2, 3).slice(1, -1)}`)
  await db.query('ALTER TABLE store_orders.order_log ENABLE ROW LEVEL SECURITY')
  await db.query('DELETE FROM store_orders.orders WHERE id = 1')
  t.equal(await list(), `,${json(2, 3).slice(1, -1)}`)
  await db.query('DELETE FROM store_orders.orders WHERE id = 2')
  t.equal(await list(), ',{"id":3}')
})
