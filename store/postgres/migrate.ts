// Brings the schema to this version, in one transaction and under a lock: several instances may migrate at once.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Admin, asAdmin } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { checkSchema, migrations, SCHEMA_VERSION, schemaProblem, schemaVersion } from './schema.ts'
import { queryRow } from './sessions.ts'

/** Arbitrary, but the same for every instance. */
const LOCK = 7_205_759_403

const migrationsTable = `CREATE TABLE IF NOT EXISTS store_orders.migrations (
  version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`

/** An administrator may have created the schema for a role that cannot create any. */
const schemaPrivilege = `
  SELECT exists, CASE WHEN exists THEN has_schema_privilege('store_orders', 'CREATE')
    ELSE has_database_privilege(current_database(), 'CREATE') END AS "isGranted"
  FROM (SELECT to_regnamespace('store_orders') IS NOT NULL AS exists) schema`

const functions = ['cancel_orders(bigint[], uuid[])', 'prune_order_changes(interval)', 'renew_order_changes()']

/** Servers write these tables directly, and orders only through functions. */
const domainTables = ['state', 'records', 'secrets', 'work', 'instances']
  .map((name) => `store_orders.domain_${name}`)
  .join(', ')

/**
 * @param grant a role that gets exactly the privileges that a server needs
 * @returns the names of the migrations that were applied
 * @throws if the schema is newer
 */
export async function migrate(options: ConnectionOptions, { grant }: { grant?: string } = {}): Promise<string[]> {
  return asAdmin(options, async (admin) => {
    await admin.client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    await admin.client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const version = await schemaVersion(admin)
    if (version > SCHEMA_VERSION) throw new Error(schemaProblem(version))
    const missing = migrations.slice(version)
    if (version === 0) await createSchema(admin, options.user)
    for (const name of missing) {
      await admin.client.query(await readFile(fileURLToPath(import.meta.resolve(`#migrations/${name}`)), 'utf8'))
      const text = 'INSERT INTO store_orders.migrations (version, name) VALUES ($1, $2)'
      await admin.query({ text }, [migrations.indexOf(name) + 1, name])
    }
    if (grant !== undefined) await grantTo(admin, grant)
    await admin.client.query('COMMIT')
    return missing
  })
}

/** @throws with the command to run, unless a server can use the schema */
export async function checkMigrated(options: ConnectionOptions): Promise<void> {
  await asAdmin(options, checkSchema)
}

async function createSchema(admin: Admin, user: string): Promise<void> {
  const { exists, isGranted } = await queryRow<Record<string, boolean>>(admin, { text: schemaPrivilege })
  const name = admin.client.escapeIdentifier(user)
  const advice = exists
    ? `GRANT ALL ON SCHEMA store_orders TO ${name}`
    : `CREATE SCHEMA store_orders AUTHORIZATION ${name}`
  if (!isGranted)
    throw new Error(`user ${name} cannot create tables in the schema store_orders. As an administrator: ${advice}`)
  if (!exists) await admin.client.query('CREATE SCHEMA store_orders')
  await admin.client.query(migrationsTable)
}

async function grantTo({ client }: Admin, role: string): Promise<void> {
  const name = client.escapeIdentifier(role)
  await client.query(`
    GRANT USAGE ON SCHEMA store_orders TO ${name};
    GRANT SELECT ON ALL TABLES IN SCHEMA store_orders TO ${name};
    GRANT INSERT, UPDATE, DELETE ON ${domainTables} TO ${name};
    GRANT EXECUTE ON FUNCTION ${functions.map((each) => `store_orders.${each}`).join(', ')} TO ${name}`)
}
