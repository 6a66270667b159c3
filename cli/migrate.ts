// Brings the database of the orders to this version, or checks that it is.
import { loadDatabase } from '../config/environment.ts'
import { domainTables } from '../domains/postgres/tables.ts'
import { checkMigrated, migrate } from '../store/postgres/migrate.ts'
import type { Terminal } from './terminal.ts'

const others = [domainTables]

/** @param options with `grant`, a role that gets what a server needs */
export async function migrateCommand(
  { check, grant }: { check?: boolean; grant?: string },
  { stdout, env }: Terminal,
): Promise<void> {
  const connection = loadDatabase(env)
  if (check) {
    await checkMigrated(connection, others)
    stdout.write('The schema is up to date.\n')
    return
  }
  const applied = await migrate(connection, { others, ...(grant !== undefined && { grant }) })
  for (const name of applied) stdout.write(`Applied ${name}.\n`)
  stdout.write('The schema is up to date.\n')
  if (grant !== undefined) stdout.write(`Role ${grant} has what a server needs.\n`)
}
