// Short sessions with a PostgreSQL that may be unreachable.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const PATIENCE_MS = 120_000
const POLL_MS = 100

/** @template T @param {string} url @param {(session: pg.Client) => Promise<T>} work */
export async function inSession(url, work) {
  const session = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000, query_timeout: 2000 })
  session.on('error', () => {})
  try {
    await session.connect()
    return await work(session)
  } finally {
    session.end().catch(() => {})
  }
}

/**
 * Repeats the work until its result is truthy.
 * @template T
 * @param {string} what for the error
 * @param {() => Promise<T>} work may throw while PostgreSQL is unreachable or slow
 * @throws the last error if it takes too long
 */
export async function eventually(what, work) {
  let cause
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(POLL_MS)) {
    try {
      const result = await work()
      if (result) return result
    } catch (error) {
      cause = error
    }
  }
  throw new Error(`timed out: ${what}`, { cause })
}
