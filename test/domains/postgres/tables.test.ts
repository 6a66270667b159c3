import t from 'tap'
import { domainTables } from '../../../domains/postgres/tables.ts'
import { parseConnectionString } from '../../../store/postgres/connection-string.ts'
import { checkMigrated, migrate } from '../../../store/postgres/migrate.ts'
import { as, type Database, database, roleIn } from '../../postgres/database.ts'
import { instanceOn } from './database.ts'

/** The tables as the first migration of version 1.0 created them. */
const released = `
  CREATE TABLE store_orders.domain_saves (
    save uuid PRIMARY KEY DEFAULT gen_random_uuid(), revision bigint NOT NULL UNIQUE);
  INSERT INTO store_orders.domain_saves (revision) VALUES (0);
  CREATE TABLE store_orders.domain_records (
    kind text NOT NULL, name text NOT NULL, revision bigint NOT NULL, value json, PRIMARY KEY (kind, name));
  CREATE INDEX domain_records_revision ON store_orders.domain_records (revision);
  CREATE INDEX domain_records_deleted ON store_orders.domain_records (revision) WHERE value IS NULL;
  CREATE TABLE store_orders.domain_secrets (
    kind text NOT NULL CHECK (kind IN ('certificate', 'order', 'account')), name text NOT NULL, value bytea NOT NULL,
    PRIMARY KEY (kind, name));
  CREATE TABLE store_orders.domain_leader (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), holder uuid, fence bigint NOT NULL DEFAULT 0,
    expires timestamptz NOT NULL DEFAULT '-infinity');
  INSERT INTO store_orders.domain_leader DEFAULT VALUES;
  CREATE TABLE store_orders.domain_instances (
    id uuid PRIMARY KEY, save uuid NOT NULL, expires timestamptz NOT NULL, keys text[] NOT NULL DEFAULT '{}');`

const others = [domainTables]
const connectionTo = ({ url }: Database) => parseConnectionString(url, {})

/** What the catalog has of the tables: columns, constraints and indexes. */
const definitions = `
  SELECT attrelid::regclass::text AS of, attname::text || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull AS what
    FROM pg_attribute WHERE attnum > 0 AND attrelid::regclass::text LIKE 'store_orders.domain%'
  UNION ALL SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid::regclass::text LIKE 'store_orders.domain%'
  UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE indexname LIKE 'domain%' ORDER BY 1, 2`

t.test('a database with the tables of an earlier version keeps its domains, and the privileges', async (t) => {
  const db = await database(t)
  await migrate(connectionTo(db))
  await db.query(released)
  const one = await instanceOn(t, db.url)
  await one.hosts()
  await one.change(['docs.shop.test'])
  const role = await roleIn(t, db, 'server')
  t.strictSame(await migrate(connectionTo(db), { others, grant: role }), [])
  await checkMigrated(connectionTo(db), others)
  await one.change(['other.shop.test'])
  const two = await instanceOn(t, as(db.url, role))
  t.strictSame(await two.hosts(), ['docs.shop.test', 'other.shop.test'])
  await two.change([], ['docs.shop.test'])

  const fresh = await database(t)
  await migrate(connectionTo(fresh), { others })
  t.strictSame(await db.query(definitions), await fresh.query(definitions))
})

t.test('tables that do not exist are named with the command to run', async (t) => {
  const db = await database(t)
  await migrate(connectionTo(db))
  const missing = ['instances', 'leader', 'records', 'saves', 'secrets'].map((name) => `store_orders.domain_${name}`)
  await t.rejects(checkMigrated(connectionTo(db), others), {
    message: `there is no ${missing.join(', ')}. Run: store-orders migrate`,
  })
})
