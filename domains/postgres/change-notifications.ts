// LISTENs for other instances' changes. Only a hint to look sooner: the tables are authoritative.
import pg from 'pg'
import type { ConnectionOptions } from '../../store/postgres/connection-string.ts'
import { CHANNEL } from './queries.ts'

const RECONNECT_MS = 2_000
const CONNECT_MS = 5_000

/** @returns a function that stops listening */
export function listenForChanges(connection: ConnectionOptions, onChange: () => void): () => Promise<void> {
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
    opened.on('end', reconnect)
    opened.on('notification', onChange)
    try {
      await opened.connect()
      await opened.query(`LISTEN ${CHANNEL}`)
      onChange() // notifications may have been missed
    } catch {
      await opened.end().catch(() => {}) // a standby, or a server that is down
    }
  }

  function reconnect() {
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
