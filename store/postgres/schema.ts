// Reads the version of a database's schema, and checks that this server can work with it.
import { RefusedError } from './faults.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import { queryRow, type Session } from './sessions.ts'

/** @returns 0 where there is none */
export async function schemaVersion(session: Session): Promise<number> {
  const { exists } = await queryRow<{ exists: boolean }>(session, {
    text: "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'store_orders' AND tablename = 'migrations')",
  })
  if (!exists) return 0
  const text = 'SELECT coalesce(max(version), 0) AS version FROM store_orders.migrations'
  return (await queryRow<{ version: number }>(session, { text })).version
}

/** @throws RefusedError with a line that names the command to run */
export async function checkSchema(session: Session): Promise<void> {
  const [citus] = await session.query({ text: "SELECT FROM pg_extension WHERE extname = 'citus'" })
  if (citus) throw new RefusedError('the database has Citus, whose tables take no such triggers: use one without it')
  const refusal = schemaRefusal(await schemaVersion(session))
  if (refusal) throw new RefusedError(refusal)
}

/** One line on why this server cannot work with a schema of this version. */
export function schemaRefusal(version: number): string | undefined {
  if (version === SCHEMA_VERSION) return undefined
  if (version > SCHEMA_VERSION) {
    return `the schema is at version ${version}, newer than this server's ${SCHEMA_VERSION}: install a newer server`
  }
  const state = version === 0 ? 'there is no schema yet' : `the schema is at version ${version} of ${SCHEMA_VERSION}`
  return `${state}. Run: store-orders migrate`
}
