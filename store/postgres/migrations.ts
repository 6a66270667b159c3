// The migrations of the schema, in their order; the version of a schema is the number of migrations applied.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const names = [
  '0001-orders.sql',
  '0002-cancelled-orders.sql',
  '0003-domains.sql',
  '0004-cancel-in-groups.sql',
  '0005-domain-keys.sql',
]

export const SCHEMA_VERSION = names.length

/** Those that a schema of this version lacks. */
export async function migrationsAfter(version: number): Promise<{ version: number; name: string; sql: string }[]> {
  return Promise.all(
    names.slice(version).map(async (name, index) => {
      const file = fileURLToPath(import.meta.resolve(`#migrations/${name}`))
      return { version: version + index + 1, name, sql: await readFile(file, 'utf8') }
    }),
  )
}
