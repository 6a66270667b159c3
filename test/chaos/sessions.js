// Sessions at a PostgreSQL that may be away: each for some work, and over soon.
import pg from 'pg'

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
