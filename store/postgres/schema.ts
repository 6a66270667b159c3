// The version of the schema: the number of migrations applied.
import { readdirSync } from 'node:fs'
import { PermanentError } from './faults.ts'
import { queryRow, type Session } from './sessions.ts'

const folder = new URL('.', import.meta.resolve('#migrations/0001-schema.sql'))
/** The URLs of the files, in the order in which they are applied. */
export const migrations: readonly string[] = readdirSync(folder)
  .filter((name) => /^\d{4}-.*\.sql$/.test(name))
  .sort()
  .map((name) => new URL(name, folder).href)
export const SCHEMA_VERSION = migrations.length

/** @returns 0 if there is no schema */
export async function schemaVersion(session: Session): Promise<number> {
  const { exists } = await queryRow<{ exists: boolean }>(session, {
    text: "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'store_orders' AND tablename = 'migrations')",
  })
  if (!exists) return 0
  const text = 'SELECT coalesce(max(version), 0) AS version FROM store_orders.migrations'
  return (await queryRow<{ version: number }>(session, { text })).version
}

/** @throws PermanentError with the command to run */
export async function checkSchema(session: Session): Promise<void> {
  const [citus] = await session.query({ text: "SELECT FROM pg_extension WHERE extname = 'citus'" })
  if (citus)
    throw new PermanentError(
      'the database has Citus, whose distributed tables lack the required triggers: use a database without it',
    )
  const problem = schemaProblem(await schemaVersion(session))
  if (problem) throw new PermanentError(problem)
}

/** Why a server that needs the version `expected` cannot work with a schema of this version. */
export function schemaProblem(version: number, expected = SCHEMA_VERSION): string | undefined {
  if (version === expected) return undefined
  if (version > expected) {
    return `the schema is at version ${version}, newer than this server's ${expected}: install a newer server`
  }
  const state = version === 0 ? 'there is no schema yet' : `the schema is at version ${version} of ${expected}`
  return `${state}. Run: store-orders migrate`
}
