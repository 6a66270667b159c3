// Brings the schema to this version, in one transaction and under a lock: several instances may migrate at once.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Admin, asAdmin, OWNER_ONLY } from './admin.ts'
import type { ConnectionOptions } from './connection-string.ts'
import { grantTo } from './privileges.ts'
import { checkSchema, migrations as ownMigrations, schemaProblem, schemaVersion } from './schema.ts'
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

/** Tables of another part of the service, which versions them itself. */
export interface Tables {
  /** Creates what does not exist. @param grant a role that gets what a server needs */
  create(admin: Admin, grant?: string): Promise<void>
  /** The tables that do not exist. */
  missing(admin: Admin): Promise<string[]>
}

interface MigrateOptions {
  /** A role that gets exactly the privileges that a server needs. */
  grant?: string
  /** Tables of other parts, in the same schema. */
  others?: readonly Tables[]
  /** Replaced by tests. */
  migrations?: readonly string[]
}

/**
 * @returns the names of the migrations that were applied
 * @throws if the schema is newer
 */
export async function migrate(
  options: ConnectionOptions,
  { grant, others = [], migrations = ownMigrations }: MigrateOptions = {},
): Promise<string[]> {
  const migrateAll = async (admin: Admin) => {
    await admin.client.query(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const version = await schemaVersion(admin)
    if (version > migrations.length) throw new Error(schemaProblem(version, migrations.length))
    if (version === 0) await createSchema(admin, options.user)
    const missing = migrations.slice(version)
    const names = missing.map((url) => basename(url))
    for (const [index, url] of missing.entries()) {
      await admin.client.query(await readFile(new URL(url), 'utf8'))
      const text = 'INSERT INTO store_orders.migrations (version, name) VALUES ($1, $2)'
      await admin.query({ text }, [version + index + 1, names[index]])
    }
    if (grant !== undefined) await grantTo(admin, grant)
    for (const { create } of others) await create(admin, grant)
    return names
  }
  return asAdmin(options, migrateAll, { advice: OWNER_ONLY })
}

/** @throws with the command to run, unless a server can use the schema */
export async function checkMigrated(options: ConnectionOptions, others: readonly Tables[] = []): Promise<void> {
  await asAdmin(options, async (admin) => {
    await checkSchema(admin)
    const missing = await Promise.all(others.map((tables) => tables.missing(admin)))
    if (missing.flat().length > 0)
      throw new Error(`there is no ${missing.flat().join(', ')}. Run: store-orders migrate`)
  })
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
