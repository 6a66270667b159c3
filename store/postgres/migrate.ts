// Brings the schema to this version, in one transaction and under a lock: several instances may start at once.
import { type Admin, asAdmin } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { migrationsAfter, SCHEMA_VERSION } from './migrations.ts'
import { schemaRefusal, schemaVersion } from './schema.ts'

/** An arbitrary number, the same for every instance that migrates. */
const LOCK = 7_205_759_403

const preparation = `
  CREATE SCHEMA IF NOT EXISTS store_orders;
  CREATE TABLE IF NOT EXISTS store_orders.migrations (
    version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`

/** Written by the server itself; orders only by functions. */
const domainTables = ['state', 'secrets', 'work', 'instances'].map((name) => `store_orders.domain_${name}`).join(', ')

/**
 * With `grant`, that role gets the privileges that a server needs, and no others.
 * @returns the names of the migrations that were applied
 * @throws when the schema is newer
 */
export async function migrate(options: ConnectionOptions, { grant }: { grant?: string } = {}): Promise<string[]> {
  return asAdmin(options, async (admin) => {
    await admin.client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    await admin.client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const version = await schemaVersion(admin)
    if (version > SCHEMA_VERSION) throw new Error(schemaRefusal(version))
    const missing = await migrationsAfter(version)
    if (version === 0) await admin.client.query(preparation)
    for (const migration of missing) {
      await admin.client.query(migration.sql)
      const text = 'INSERT INTO store_orders.migrations (version, name) VALUES ($1, $2)'
      await admin.query({ text }, [migration.version, migration.name])
    }
    if (grant !== undefined) await grantTo(admin, grant)
    await admin.client.query('COMMIT')
    return missing.map(({ name }) => name)
  })
}

/** @throws with the command to run, unless the schema is at this version */
export async function checkMigrated(options: ConnectionOptions): Promise<void> {
  const refusal = schemaRefusal(await asAdmin(options, schemaVersion))
  if (refusal) throw new Error(refusal)
}

async function grantTo({ client }: Admin, role: string): Promise<void> {
  const name = client.escapeIdentifier(role)
  await client.query(`
    GRANT USAGE ON SCHEMA store_orders TO ${name};
    GRANT SELECT ON ALL TABLES IN SCHEMA store_orders TO ${name};
    GRANT INSERT, UPDATE, DELETE ON ${domainTables} TO ${name};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA store_orders TO ${name}`)
}
