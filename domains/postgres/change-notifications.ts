// LISTENs for other instances' changes. Only a hint to look sooner: the tables are authoritative.
import pg from 'pg'
import { clientConfig } from '../../store/postgres/client-config.ts'
import type { ConnectionOptions, HostAddress } from '../../store/postgres/connection-string.ts'
import { CHANNEL } from './queries.ts'

const RECONNECT_MS = 2_000
const CONNECT_MS = 5_000

/** @returns a function that stops listening */
export function listenForChanges(connection: ConnectionOptions, onChange: () => void): () => Promise<void> {
  const { hosts } = connection
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let at = 0

  async function connect() {
    const config = clientConfig(connection, hosts[at] as HostAddress)
    const opened = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_MS })
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

  void connect()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
