// Storages over a pg.Pool each, as the README shows it.
import pg from 'pg'
import type { Test } from 'tap'
import { createTables } from '../../src/postgres/index.ts'
import { systemTime } from '../../src/postgres/membership.ts'
import { storageIn } from '../../src/postgres/storage.ts'

export const encryptionKeys = [Buffer.alloc(32, 7)]

/** Pauses are a twentieth as long. */
export const fastClock = {
  elapsed: systemTime.elapsed,
  after: (ms: number, run: () => void) => systemTime.after(ms / 20, run),
  sleep: (ms: number) => systemTime.sleep(ms / 20),
}

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
  const storage = storageIn(pool, { encryptionKeys }, fastClock)
  t.teardown(storage.close)
  return storage
}
