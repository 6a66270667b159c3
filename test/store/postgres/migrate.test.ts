import { pathToFileURL } from 'node:url'
import pg from 'pg'
import t, { type Test } from 'tap'
import { importOrders } from '../../../store/postgres/import.ts'
import { checkMigrated, migrate } from '../../../store/postgres/migrate.ts'
import { migrations, SCHEMA_VERSION, schemaProblem } from '../../../store/postgres/schema.ts'
import { as, type Database, database, lockWaits, roleIn, sessionOn } from '../../postgres/database.ts'
import { connectionTo as connectionAt, migratedDatabase, openAt } from '../../postgres/orders.ts'
import { listOf } from '../list.ts'

const connectionTo = ({ url }: Database, user = 'postgres') => connectionAt(as(url, user))
const open = ({ url }: Database, user = 'postgres') => openAt(as(url, user))

t.test('of several concurrent migrations, one applies each file', async (t) => {
  const db = await database(t)
  await db.query(`ALTER DATABASE ${db.name} SET default_transaction_isolation = 'repeatable read'`)
  const applied = (await Promise.all(Array.from({ length: 4 }, () => migrate(connectionTo(db))))).flat()
  const recorded = await db.query('SELECT name FROM store_orders.migrations ORDER BY version')
  t.strictSame([recorded, applied.length], [applied.map((name) => ({ name })), SCHEMA_VERSION])
  await checkMigrated(connectionTo(db))
})

t.test('a database without the schema or with another version is rejected with the command to run', async (t) => {
  const db = await database(t)
  const missing = 'there is no schema yet. Run: store-orders migrate'
  await t.rejects(checkMigrated(connectionTo(db)), { message: missing })
  const closed = t.capture(pg.Pool.prototype, 'end', pg.Pool.prototype.end)
  await t.rejects(open(db), { message: missing })
  t.equal(closed().length, 1, 'a start that fails leaves no session')
  await migrate(connectionTo(db))
  await db.query("INSERT INTO store_orders.migrations VALUES (99, 'later')")
  const newer = `the schema is at version 99, newer than this server's ${SCHEMA_VERSION}: install a newer server`
  await t.rejects(checkMigrated(connectionTo(db)), { message: newer })
  await t.rejects(open(db), { message: newer })
  await t.rejects(migrate(connectionTo(db)), { message: newer })
  t.equal(schemaProblem(-1), `the schema is at version -1 of ${SCHEMA_VERSION}. Run: store-orders migrate`)
})

t.test('a failed migration changes nothing', async (t) => {
  const db = await database(t)
  await db.query('CREATE SCHEMA store_orders; CREATE TABLE store_orders.order_log (other int)')
  await t.rejects(migrate(connectionTo(db)), { message: 'relation "order_log" already exists' })
  const tables = await db.query("SELECT tablename FROM pg_tables WHERE schemaname = 'store_orders'")
  t.strictSame(tables, [{ tablename: 'order_log' }])
})

t.test('a database with Citus is rejected', async (t) => {
  const db = await migratedDatabase(t)
  await db.query(
    "SET allow_system_table_mods = on; INSERT INTO pg_extension SELECT 999999, 'citus', extowner, extnamespace, extrelocatable, extversion, extconfig, extcondition FROM pg_extension LIMIT 1",
  )
  await t.rejects(open(db), { message: /Citus/ })
  await t.rejects(checkMigrated(connectionTo(db)), { message: /Citus/ })
})

t.test('a least-privilege role can serve, and nothing else', async (t) => {
  const db = await migratedDatabase(t)
  const role = await roleIn(t, db, 'role')
  await t.rejects(open(db, role), {
    message: `127.0.0.1:${db.port}: permission denied for schema store_orders. Run: store-orders migrate --grant ${role}`,
  })
  await t.rejects(checkMigrated(connectionTo(db, role)), { message: /permission denied .* --grant/ })
  t.strictSame(await migrate(connectionTo(db), { grant: role }), [])
  await db.query('INSERT INTO store_orders.orders (id, pet_id) VALUES (1, 5), (2, NULL)')
  const store = await open(db, role)
  t.equal(await store.cancel(1n), 'cancelled')
  t.equal(await store.hasPet(5n), true)
  t.equal(String((await store.list())[0]?.json()), ',{"id":2}')
  await store.close()
  const asOwner = (problem: string) => ({
    message: new RegExp(`${problem} .*\\. Run this as the owner of the schema store_orders$`),
  })
  await t.rejects(importOrders(connectionTo(db, role), { file: 'a.ndjson' }), asOwner(': permission denied'))
  const other = await roleIn(t, db, 'other')
  await t.rejects(migrate(connectionTo(db, role), { grant: other }), asOwner('was not granted'))
  await db.query(`SET SESSION AUTHORIZATION ${role}`)
  for (const statement of [
    'DELETE FROM store_orders.orders',
    "UPDATE store_orders.orders SET status = 'pending'",
    'INSERT INTO store_orders.orders (id) VALUES (3)',
    'TRUNCATE store_orders.orders',
    'DELETE FROM store_orders.order_log',
    'CREATE TABLE store_orders.other ()',
  ])
    await t.rejects(db.query(statement), { message: /permission denied/ }, statement)
  await db.query('RESET SESSION AUTHORIZATION')
})

/** A version that adds a column and replaces a trigger. */
const nextVersion = (t: Test) => {
  const sql = `ALTER TABLE store_orders.orders ADD COLUMN note text;
    CREATE OR REPLACE TRIGGER orders_deleted AFTER DELETE ON store_orders.orders
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change();`
  return [...migrations, pathToFileURL(`${t.testdir({ 'made-up.sql': sql })}/made-up.sql`).href]
}

t.test('the next migration keeps the orders and the privileges; servers of this version continue', async (t) => {
  const db = await migratedDatabase(t)
  const next = nextVersion(t)
  const role = await roleIn(t, db, 'role')
  await migrate(connectionTo(db), { grant: role })
  await db.query('INSERT INTO store_orders.orders (id) VALUES (1), (2), (3)')
  const running = await open(db, role)
  t.teardown(() => running.close())
  t.equal(await listOf(running), '[{"id":1},{"id":2},{"id":3}]')

  t.strictSame(await migrate(connectionTo(db), { migrations: next }), ['made-up.sql'])
  t.strictSame(await migrate(connectionTo(db), { migrations: next }), [])
  t.equal(await running.cancel(2n), 'cancelled')
  await db.query("INSERT INTO store_orders.orders (id, note) VALUES (4, 'new')")
  t.equal(await listOf(running), '[{"id":1},{"id":3},{"id":4}]')

  const message = `the schema is at version ${next.length}, newer than this server's ${SCHEMA_VERSION}: install a newer server`
  await t.rejects(open(db, role), { message }, 'none of them starts')
  const older = `the schema is at version ${SCHEMA_VERSION} of ${next.length}. Run: store-orders migrate`
  t.equal(schemaProblem(SCHEMA_VERSION, next.length), older)
})

t.test('a migration that replaces triggers waits for writers, and running servers miss nothing', async (t) => {
  const db = await migratedDatabase(t)
  const [writer, other] = [await sessionOn(t, db.url), await sessionOn(t, db.url)]
  const running = await open(db)
  t.teardown(() => running.close())
  t.equal(await listOf(running), '[]')
  await writer.query('BEGIN; INSERT INTO store_orders.orders (id) VALUES (1)')
  const migrating = migrate(connectionTo(db), { migrations: nextVersion(t) })
  await lockWaits(t, db.url, 1)
  const waiting = other.query('INSERT INTO store_orders.orders (id) VALUES (2)')
  await lockWaits(t, db.url, 2)
  await writer.query('COMMIT')
  await Promise.all([migrating, waiting])
  t.equal(await listOf(running), '[{"id":1},{"id":2}]')
  await db.query('DELETE FROM store_orders.orders WHERE id = 1')
  t.equal(await listOf(running), '[{"id":2}]')
})
