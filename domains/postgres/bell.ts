// Listens for changes of other instances. It makes them known sooner; what counts is read from the tables.
import pg from 'pg'
import type { ConnectionOptions } from '../../store/postgres/connection-string.ts'
import { CHANNEL } from './queries.ts'

const RECONNECT_MS = 2_000
const CONNECT_MS = 5_000

/** @returns a function that ends it */
export function openBell(connection: ConnectionOptions, ring: () => void): () => Promise<void> {
  const { hosts, user, password, database, tls, applicationName } = connection
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let at = 0

  async function connect() {
    const address = { ...hosts[at], user, database, ssl: tls, application_name: applicationName }
    const opened = new pg.Client({
      ...address,
      password,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    })
    client = opened
    opened.on('error', () => {})
    opened.on('end', again)
    opened.on('notification', ring)
    try {
      await opened.connect()
      await opened.query(`LISTEN ${CHANNEL}`)
      ring() // for what was missed
    } catch {
      await opened.end().catch(() => {}) // a standby, or a server that is down
    }
  }

  function again() {
    at = (at + 1) % hosts.length
    if (!isClosed) timer = setTimeout(connect, RECONNECT_MS).unref()
  }

  connect()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
