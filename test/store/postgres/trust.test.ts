// What the database may not do to the store: each test sets up something around it that would break a naive one.
import t from 'tap'
import { migrate } from '../../../store/postgres/migrate.ts'
import { StoreUnavailableError } from '../../../store/unavailable.ts'
import { volatile } from '../../postgres/cluster.js'
import { as, database, roleIn, sessionOn } from '../../postgres/database.ts'
import * as orders from '../../postgres/orders.ts'
import { listOf } from '../list.ts'

const { clusterOf, connectionTo, insert, json, readerAt, shop, storeAt } = orders

function logged() {
  const lines: string[] = []
  return { lines, log: (_level: string, line: string) => lines.push(line) }
}

t.test('row level security does not hide orders: lists are unavailable, and the log says why', async (t) => {
  const { db } = await shop(t, 3)
  const role = await roleIn(t, db, 'server')
  await migrate(connectionTo(db.url), { grant: role })
  const { lines, log } = logged()
  const store = storeAt(t, as(db.url, role), { log })
  t.equal(await listOf(store), json(1, 2, 3))
  await db.query('ALTER TABLE store_orders.orders ENABLE ROW LEVEL SECURITY')
  await db.query('UPDATE store_orders.orders SET quantity = NULL')
  for (const each of [store, storeAt(t, as(db.url, role))]) {
    await t.rejects(each.list(), StoreUnavailableError)
    await t.rejects(each.ping(), StoreUnavailableError, 'not ready')
    await t.rejects(each.hasPet(1n), StoreUnavailableError)
  }
  const cure = 'row level security would hide orders\\. ALTER TABLE .* DISABLE ROW LEVEL SECURITY'
  t.match(lines[0], new RegExp(`^PostgreSQL cannot be used: .*${cure}`))
  await db.query('ALTER TABLE store_orders.orders FORCE ROW LEVEL SECURITY')
  t.equal(await store.cancel(1n), 'cancelled', 'as the owner, who is a superuser')
  await db.query('ALTER TABLE store_orders.orders DISABLE ROW LEVEL SECURITY')
  t.equal(await listOf(store), json(2, 3))
})

t.test('operators and functions of other schemas are not called, and settings do not change the JSON', async (t) => {
  const { db, store } = await shop(t)
  for (const type of ['bigint', 'integer'])
    await db.query(`CREATE FUNCTION public.joined(text, ${type}) RETURNS text LANGUAGE sql AS $$ SELECT $1 || ',"evil":' $$;
      CREATE OPERATOR public.|| (LEFTARG = text, RIGHTARG = ${type}, FUNCTION = public.joined)`)
  await db.query(`CREATE FUNCTION public.joined(text, text) RETURNS text LANGUAGE sql AS $$ SELECT 'evil'::text $$;
    CREATE OPERATOR public.|| (LEFTARG = text, RIGHTARG = text, FUNCTION = public.joined);
    CREATE FUNCTION public.to_char(timestamp, text) RETURNS text LANGUAGE sql AS $$ SELECT 'evil'::text $$;
    CREATE FUNCTION public.concat(VARIADIC "any") RETURNS text LANGUAGE internal AS 'text_concat';
    CREATE FUNCTION public.timestamp_lt(timestamptz, timestamptz) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
    CREATE OPERATOR public.< (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = public.timestamp_lt);
    ALTER DATABASE ${db.name} SET search_path = public, pg_catalog;
    ALTER DATABASE ${db.name} SET standard_conforming_strings = off;
    ALTER DATABASE ${db.name} SET backslash_quote = off`)
  const service = await sessionOn(t, db.url)
  t.equal(await listOf(store), '[]')
  await service.query(`INSERT INTO store_orders.orders (id, pet_id, quantity, ship_date, complete)
    VALUES (1, 2, 3, '2026-01-02T03:04:05Z', true), (2, 3, 4, '0001-02-03 00:00:00+00 BC', NULL)`)
  const orders =
    '[{"id":1,"petId":2,"quantity":3,"shipDate":"2026-01-02T03:04:05.000Z","complete":true},' +
    '{"id":2,"petId":3,"quantity":4,"shipDate":"0000-02-03T00:00:00.000Z"}]'
  t.equal(await listOf(store), orders)
  t.equal(await listOf(storeAt(t, db.url)), orders)
  t.equal(await store.cancel(1n), 'cancelled')
  t.match(await listOf(store), /^\[\{"id":2,/)
})

t.test('a copy of the database under its name is another database', async (t) => {
  const { cluster, run: atServer } = await clusterOf(t, volatile)
  const run = async (name: string, ...statements: string[]) => {
    for (const statement of statements) await atServer(statement, [], name)
  }
  await run('postgres', 'CREATE DATABASE shop')
  await migrate(connectionTo(cluster.url('shop')))
  await run('shop', 'INSERT INTO store_orders.orders (id) VALUES (1), (2)')
  const reader = readerAt(t, cluster.url('shop'))
  t.equal(await reader.json(), json(1, 2))
  const end = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'shop'"
  await run('postgres', end, 'CREATE DATABASE copy TEMPLATE shop')
  await run('copy', 'INSERT INTO store_orders.orders (id) VALUES (3)')
  t.equal(await reader.json(), json(1, 2))
  await run('postgres', end, 'ALTER DATABASE shop RENAME TO former', 'ALTER DATABASE copy RENAME TO shop')
  t.equal(await reader.json(), json(1, 2, 3))
})

t.test('no role without privileges can write the log', async (t) => {
  const { db } = await shop(t)
  const role = await roleIn(t, db, 'reader')
  await db.query(`GRANT USAGE ON SCHEMA store_orders TO ${role};
    GRANT SELECT ON ALL TABLES IN SCHEMA store_orders TO ${role}`)
  const attach = `CREATE TEMPORARY TABLE own (position bigint);
    CREATE TRIGGER forged AFTER INSERT ON own REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION store_orders.log_change()`
  const service = await sessionOn(t, as(db.url, role))
  await t.rejects(service.query(attach), { message: /permission denied for function .*log_change/ })
  for (const call of ["prune_order_log('0 s')", 'renew_order_log()', "cancel_orders('{1}', '{}')"])
    await t.rejects(service.query(`SELECT store_orders.${call}`), { message: /^permission denied for function/ }, call)
  await db.query(attach)
  await t.rejects(db.query('INSERT INTO own VALUES (1)'), { message: 'only changes of orders are logged' })
})

t.test('the privileges of a service suffice where PUBLIC may execute nothing', async (t) => {
  const db = await database(t)
  await db.query('ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC')
  await migrate(connectionTo(db.url))
  const role = await roleIn(t, db, 'service')
  await db.query(`GRANT USAGE ON SCHEMA store_orders TO ${role};
    GRANT SELECT, INSERT, UPDATE ON store_orders.orders TO ${role}`)
  const service = await sessionOn(t, as(db.url, role))
  await service.query('INSERT INTO store_orders.orders (id) VALUES (1), (2)')
  await service.query("UPDATE store_orders.orders SET status = 'shipped', complete = true WHERE id = 1")
  t.equal(await listOf(storeAt(t, db.url)), '[{"id":1,"complete":true},{"id":2}]')
})

t.test('a schema that an administrator has created is used, or the missing privilege is named', async (t) => {
  const db = await database(t)
  const owner = await roleIn(t, db, 'owner')
  const migrating = () => migrate(connectionTo(as(db.url, owner)))
  const refused = `user "${owner}" cannot create tables in the schema store_orders. As an administrator: `
  await t.rejects(migrating(), { message: `${refused}CREATE SCHEMA store_orders AUTHORIZATION "${owner}"` })
  await db.query('CREATE SCHEMA store_orders')
  await t.rejects(migrating(), { message: `${refused}GRANT ALL ON SCHEMA store_orders TO "${owner}"` })
  await db.query(`GRANT ALL ON SCHEMA store_orders TO "${owner}"`)
  await migrating()
  t.equal(await listOf(storeAt(t, as(db.url, owner))), '[]')
})

t.test('columns of others, whatever their names, change nothing', async (t) => {
  const { db, store } = await shop(t, 2)
  const names = ['place', 'request', 'requests', 'ids', 'cancelled', 'suppressed', 'changed', 'page', 'slot', 'o', 'c']
  await db.query(`ALTER TABLE store_orders.orders ${names.map((name) => `ADD COLUMN ${name} integer`).join(', ')},
    ADD COLUMN twice bigint GENERATED ALWAYS AS (2 * id) STORED`)
  t.equal(await store.cancel(1n), 'cancelled')
  t.equal(await store.cancel(1n), 'already_cancelled')
  t.equal(await store.cancel(3n), 'not_found')
  t.equal(await listOf(store), json(2))
  await db.query('UPDATE store_orders.orders SET place = 3, quantity = 7 WHERE id = 2')
  t.equal(await listOf(store), '[{"id":2,"quantity":7}]')
})

t.test('rows of an inheriting table are no orders', async (t) => {
  const { db, store } = await shop(t, 1)
  await db.query(`CREATE TABLE child () INHERITS (store_orders.orders);
    INSERT INTO child (id, pet_id, position) VALUES (2, 5, 7); UPDATE store_orders.orders SET quantity = 3`)
  for (const each of [store, storeAt(t, db.url)]) {
    t.equal(await listOf(each), '[{"id":1,"quantity":3}]')
    t.equal(await each.cancel(2n), 'not_found')
    t.equal(await each.hasPet(5n), false)
    t.match(await each.countByStatus(), { pending: 1 })
  }
})

const triggers: [name: string, body: string, message: string][] = [
  ['raises an error', "RAISE EXCEPTION 'not on Sundays'", 'not on Sundays'],
  ['vetoes', 'RETURN NULL', 'a trigger suppressed the cancellation of order 1'],
  ['undoes it', "NEW.status := 'pending'; RETURN NEW", 'a trigger suppressed the cancellation of order 1'],
]
for (const [name, body, message] of triggers) {
  t.test(`a cancellation is unavailable at once if a trigger ${name}, and the log says so`, async (t) => {
    const { lines, log } = logged()
    const { db, store } = await shop(t, 2, { log })
    await db.query(`CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; END $$;
      CREATE TRIGGER own BEFORE UPDATE ON store_orders.orders FOR EACH ROW WHEN (OLD.id = 1) EXECUTE FUNCTION own()`)
    await t.rejects(store.cancel(1n), { name: 'StoreUnavailableError', cause: { message } })
    t.strictSame(lines, [`PostgreSQL rejected a statement: ${message}; responded with 503`])
    t.equal(await store.cancel(2n), 'cancelled')
    t.equal(await listOf(store), json(1))
  })
}

t.test('a server survives its schema', async (t) => {
  const { lines, log } = logged()
  const { db, store } = await shop(t, 0, { log })
  t.equal(await listOf(store), '[]')
  await db.query('DROP SCHEMA store_orders CASCADE')
  await t.rejects(store.list(), StoreUnavailableError)
  await t.rejects(store.cancel(1n), StoreUnavailableError)
  t.match(lines[0], /"store_orders.* does not exist/)
  await migrate(connectionTo(db.url))
  await db.query(insert, [1, 1])
  t.equal(await listOf(store), json(1))
})
