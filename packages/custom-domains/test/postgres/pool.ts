// Storages over a pg.Pool each, as the README shows it.
import pg from 'pg'
import type { Test } from 'tap'
import { createTables, postgresStorage } from '../../src/postgres/index.ts'
import { systemClock } from '../../src/time.ts'

export const encryptionKeys = [Buffer.alloc(32, 7)]

/** Pauses are a twentieth as long. */
export const fastClock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 20, run) }

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
  const storage = postgresStorage(pool, { encryptionKeys }, fastClock)
  t.teardown(storage.close)
  return storage
}
