// Connections that LISTEN, outside of the pool. Each tries the next of several hosts.
import type { Connection } from 'custom-domains/postgres'
import pg from 'pg'
import { clientConfig } from '../../store/postgres/client-config.ts'
import type { ConnectionOptions, HostAddress } from '../../store/postgres/connection-string.ts'

const CONNECT_MS = 5_000

export function listeningConnections(connection: ConnectionOptions): () => Promise<Connection> {
  const { hosts } = connection
  let at = -1

  return async () => {
    at = (at + 1) % hosts.length
    const config = clientConfig(connection, hosts[at] as HostAddress)
    const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_MS })
    client.on('error', () => {})
    const release = () => client.end().catch(() => {})
    try {
      await client.connect()
    } catch (error) {
      await release()
      throw error
    }
    return Object.assign(client, { release })
  }
}
