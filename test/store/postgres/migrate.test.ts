import t from 'tap'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { checkMigrated, migrate } from '../../../store/postgres/migrate.ts'
import { openPostgresStore } from '../../../store/postgres/open.ts'
import { SCHEMA_VERSION, schemaProblem } from '../../../store/postgres/schema.ts'
import { listOf } from '../../fixtures/list.ts'
import { type Database, database } from '../../fixtures/postgres/database.ts'
import { lockWaits, sessionOn } from '../../fixtures/postgres/locks.ts'
import { migratedDatabase, schemaFive } from '../../fixtures/postgres/orders.ts'
import { readerAt } from '../../fixtures/postgres/reader.ts'
import { as, roleIn } from '../../fixtures/postgres/roles.ts'

const connectionTo = ({ url }: Database, user = 'postgres') => parseConnectionString(as(url, user), {})
const open = (connection: ReturnType<typeof connectionTo>) =>
  openPostgresStore({ connection, poolSize: 2, timeout: 20_000 }, () => {})

t.test('of several concurrent migrations, one applies each file', async (t) => {
  const db = await database(t)
  await db.query(`ALTER DATABASE ${db.name} SET default_transaction_isolation = 'repeatable read'`)
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(connectionTo(db))))
  t.strictSame(
    applied.flat(),
    (await db.query('SELECT name FROM store_orders.migrations ORDER BY version')).map(({ name }) => name),
  )
  t.equal(applied.flat().length, SCHEMA_VERSION)
  await checkMigrated(connectionTo(db))
})

t.test('a database without the schema or with another version is rejected with the command to run', async (t) => {
  const db = await database(t)
  const missing = 'there is no schema yet. Run: store-orders migrate'
  await t.rejects(checkMigrated(connectionTo(db)), { message: missing })
  await t.rejects(open(connectionTo(db)), { message: missing })
  await migrate(connectionTo(db))
  await db.query("INSERT INTO store_orders.migrations VALUES (99, 'later')")
  const newer = `the schema is at version 99, newer than this server's ${SCHEMA_VERSION}: install a newer server`
  await t.rejects(checkMigrated(connectionTo(db)), { message: newer })
  await t.rejects(open(connectionTo(db)), { message: newer })
  await t.rejects(migrate(connectionTo(db)), { message: newer })
  t.equal(schemaProblem(-1), `the schema is at version -1 of ${SCHEMA_VERSION}. Run: store-orders migrate`)
})

t.test('a failed migration changes nothing', async (t) => {
  const db = await database(t)
  await db.query('CREATE SCHEMA store_orders; CREATE TABLE store_orders.order_log (other int)')
  await t.rejects(migrate(connectionTo(db)), { message: 'relation "order_log" already exists' })
  t.strictSame(await db.query("SELECT tablename FROM pg_tables WHERE schemaname = 'store_orders'"), [
    { tablename: 'order_log' },
  ])
})

t.test('a database with Citus is rejected', async (t) => {
  const db = await migratedDatabase(t)
  await db.query(
    "SET allow_system_table_mods = on; INSERT INTO pg_extension SELECT 999999, 'citus', extowner, extnamespace, extrelocatable, extversion, extconfig, extcondition FROM pg_extension LIMIT 1",
  )
  await t.rejects(open(connectionTo(db)), { message: /Citus/ })
  await t.rejects(checkMigrated(connectionTo(db)), { message: /Citus/ })
})

t.test('a least-privilege role can serve, and nothing else', async (t) => {
  const db = await migratedDatabase(t)
  const role = await roleIn(t, db, 'role')
  await t.rejects(open(connectionTo(db, role)), {
    message: `127.0.0.1:${db.port}: permission denied for schema store_orders. Run: store-orders migrate --grant ${role}`,
  })
  await t.rejects(checkMigrated(connectionTo(db, role)), { message: /permission denied .* --grant/ })
  t.strictSame(await migrate(connectionTo(db), { grant: role }), [])
  await db.query('INSERT INTO store_orders.orders (id, pet_id) VALUES (1, 5), (2, NULL)')
  const store = await open(connectionTo(db, role))
  t.equal(await store.cancel(1n), 'cancelled')
  t.equal(await store.hasPet(5n), true)
  t.equal(String((await store.list())[0]?.json()), ',{"id":2}')
  await store.close()
  await db.query(`SET SESSION AUTHORIZATION ${role}`)
  for (const statement of [
    'DELETE FROM store_orders.orders',
    "UPDATE store_orders.orders SET status = 'pending'",
    'INSERT INTO store_orders.orders (id) VALUES (3)',
    'TRUNCATE store_orders.orders',
    'DELETE FROM store_orders.order_log',
    'CREATE TABLE store_orders.other ()',
  ]) {
    await t.rejects(db.query(statement), { message: /permission denied/ }, statement)
  }
  await db.query('RESET SESSION AUTHORIZATION')
})

t.test('an older schema is upgraded with its orders, its log and its roles', async (t) => {
  const db = await schemaFive(t)
  const role = await roleIn(t, db, 'role')
  await db.query(`GRANT USAGE ON SCHEMA store_orders TO ${role};
    GRANT SELECT ON ALL TABLES IN SCHEMA store_orders TO ${role};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA store_orders TO ${role}`)
  await db.query('INSERT INTO store_orders.orders (id) VALUES (1), (2), (3)')
  // As pg_restore fills it, on a server with lower transaction ids.
  await db.query("UPDATE store_orders.order_changes_epoch SET pruned = '999999999999'")
  await db.query("INSERT INTO store_orders.order_changes (xid, page) VALUES ('999999999999', 0)")
  const older = `the schema is at version 5 of ${SCHEMA_VERSION}. Run: store-orders migrate`
  await t.rejects(open(connectionTo(db, role)), { message: older })
  await migrate(connectionTo(db))
  t.strictSame(await db.query('SELECT FROM store_orders.order_log'), [])
  const store = await open(connectionTo(db, role))
  t.teardown(() => store.close())
  t.equal(await listOf(store), '[{"id":1},{"id":2},{"id":3}]')
  t.equal(await store.cancel(2n), 'cancelled')
  t.equal(await listOf(store), '[{"id":1},{"id":3}]')
  await db.query(`SET SESSION AUTHORIZATION ${role}`)
  t.strictSame(
    await db.query('SELECT DISTINCT page, cancelled FROM store_orders.order_changes WHERE xid > $1', ['3']),
    [{ page: 0, cancelled: null }],
    'earlier servers, which still run, read the page',
  )
  await db.query('RESET SESSION AUTHORIZATION')
})

t.test('earlier triggers are replaced, so that the log is used', async (t) => {
  const db = await migratedDatabase(t)
  await db.query('DROP TRIGGER orders_replicated ON store_orders.orders')
  await db.query('DELETE FROM store_orders.migrations WHERE version = 8')
  t.strictSame(await migrate(connectionTo(db)), ['0008-log-triggers.sql'])
  const reader = readerAt(t, db.url)
  await reader.list()
  reader.sent()
  await reader.list()
  t.strictSame(reader.sent(), ['changes-since'])
})

t.test('writers and an open list during the upgrade lose nothing', async (t) => {
  const db = await schemaFive(t)
  const [writer, reader, other] = await Promise.all([sessionOn(t, db.url), sessionOn(t, db.url), sessionOn(t, db.url)])
  await writer.query('BEGIN; INSERT INTO store_orders.orders (id) VALUES (1)')
  await reader.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; LOCK TABLE store_orders.orders IN ACCESS SHARE MODE;
    SELECT FROM store_orders.order_changes_epoch`)
  const migrating = migrate(connectionTo(db))
  await lockWaits(t, db.url, 1)
  const waiting = other.query('INSERT INTO store_orders.orders (id) VALUES (2)')
  await lockWaits(t, db.url, 2)
  await writer.query('INSERT INTO store_orders.orders (id) VALUES (10)')
  await writer.query('COMMIT')
  await reader.query('SELECT FROM store_orders.orders')
  await reader.query('COMMIT')
  await Promise.all([migrating, waiting])
  const logged = await db.query('SELECT position::int FROM store_orders.order_log ORDER BY position')
  t.strictSame(logged, [{ position: 2 }], 'by the new triggers')
  const store = await open(connectionTo(db))
  t.teardown(() => store.close())
  t.equal(await listOf(store), '[{"id":1},{"id":10},{"id":2}]')
})
