// Brings the database of the orders to this version, or checks that it is.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadDatabase } from '../config/environment.ts'
import { checkMigrated, migrate } from '../store/postgres/migrate.ts'
import type { Terminal } from './terminal.ts'

const options = { check: { type: 'boolean', default: false }, grant: { type: 'string' } } as const

export async function migrateCommand(args: string[], { stdout, env }: Terminal = process): Promise<void> {
  const { check, grant } = parseArgs({ args, options }).values
  const connection = loadDatabase(env)
  if (check) {
    await checkMigrated(connection)
    stdout.write('The schema is up to date.\n')
    return
  }
  const applied = await migrate(connection, grant === undefined ? {} : { grant })
  for (const name of applied) stdout.write(`Applied ${name}.\n`)
  stdout.write('The schema is up to date.\n')
  if (grant !== undefined) stdout.write(`Role ${grant} has what a server needs.\n`)
}
