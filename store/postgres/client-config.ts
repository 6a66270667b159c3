// The options of one connection, for pg. Unless configured, the password comes from libpq's password file (PGPASSFILE, or
// ~/.pgpass).
import type pg from 'pg'
import pgpass from 'pgpass'
import type { ConnectionOptions, HostAddress } from './connection-string.ts'

/** Sooner than a NAT or a firewall forgets a connection. */
const KEEP_ALIVE_MS = 10_000

/** About ten seconds. PostgreSQL's own default is 4,096. */
const MAX_SCRAM_ITERATIONS = 10_000_000

export const NO_PASSWORD = 'no password is configured'

export function clientConfig(
  options: ConnectionOptions,
  address: HostAddress,
): pg.ClientConfig & { scramMaxIterations: number } {
  const { user, password, database, sslnegotiation, enableChannelBinding, applicationName } = options
  const ssl = options.tls()
  return {
    ...address,
    user,
    password: password ?? (passwordFromFile as () => Promise<string>), // called with the options, which pg's types omit
    database,
    ssl,
    ...(ssl && { sslnegotiation, enableChannelBinding }),
    application_name: applicationName,
    scramMaxIterations: MAX_SCRAM_ITERATIONS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}

/** Called if the server requires a password. @throws NO_PASSWORD */
function passwordFromFile(connection: Parameters<typeof pgpass>[0]): Promise<string> {
  return new Promise((resolve, reject) => {
    pgpass(connection, (password) => {
      if (password === undefined) reject(new Error(NO_PASSWORD))
      else resolve(password)
    })
  })
}
