// Storages over a pg.Pool each, as the README shows it.
import pg from 'pg'
import type { Test } from 'tap'
import { createTables, postgresStorage } from '../../src/postgres/index.ts'

export const encryptionKeys = [Buffer.alloc(32, 7)]

/** Closed when the test ends. */
export function poolAt(t: Test, connectionString: string) {
  const pool = new pg.Pool({ connectionString })
  pool.on('error', () => {})
  t.teardown(() => pool.end())
  return pool
}

/** Creates the tables. */
export async function storageAt(t: Test, url: string) {
  const pool = poolAt(t, url)
  await createTables(pool)
  const storage = postgresStorage(pool, { encryptionKeys })
  t.teardown(storage.close)
  return storage
}
