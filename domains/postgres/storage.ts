// The domains in the database of the orders, through sessions that retry and know several hosts.
import { type Database, postgresStorage, type SharedDomainStorage } from 'custom-domains/postgres'
import type { ConnectionOptions } from '../../store/postgres/connection-string.ts'
import { PermanentError } from '../../store/postgres/faults.ts'
import type { LogFunction } from '../../store/postgres/outage.ts'
import { checkSchema } from '../../store/postgres/schema.ts'
import { openSessions } from '../../store/postgres/sessions.ts'
import { listeningConnections } from './listening-connections.ts'
import { inSchema } from './tables.ts'

export interface PostgresDomainsOptions {
  connection: ConnectionOptions
  /** Milliseconds that a statement may take, all attempts together. */
  timeout: number
  /** As `postgresStorage` takes them. */
  encryptionKeys: readonly Buffer[]
}

const POOL_SIZE = 4

export function postgresDomainStorage(options: PostgresDomainsOptions, report: LogFunction): SharedDomainStorage {
  const { connection, timeout, encryptionKeys } = options
  const sessions = openSessions({ connection, poolSize: POOL_SIZE, timeout }, report)
  let isChecked = false
  const database: Database = {
    async query({ text, values }) {
      const rows = await sessions.run(async (session) => {
        if (!isChecked) await checkSchema(session)
        isChecked = true
        return session.query({ text }, values)
      })
      return { rows }
    },
    connect: listeningConnections(connection),
    permanentReason(error) {
      const { cause } = error as Error
      return cause instanceof PermanentError ? cause.message : undefined
    },
  }
  const storage = postgresStorage(database, { ...inSchema, encryptionKeys, report })
  return {
    ...storage,
    async close() {
      sessions.stopRetries()
      await storage.close()
      await sessions.close()
    },
  }
}
