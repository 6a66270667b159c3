// The options of one connection, for pg. Unless configured, the password comes from libpq's password file (PGPASSFILE, or
// ~/.pgpass).
import type pg from 'pg'
import pgpass from 'pgpass'
import { guardedConnection } from './authentication.ts'
import type { ConnectionOptions, HostAddress } from './connection-string.ts'
import { NO_PASSWORD } from './faults.ts'

/** Sooner than a NAT or a firewall forgets a connection. */
const KEEP_ALIVE_MS = 10_000

/** About ten seconds. PostgreSQL's own default is 4,096. */
const MAX_SCRAM_ITERATIONS = 10_000_000

/** PostgreSQL's default for Unix sockets, and those of Debian and others. */
const socketFolders = ['/tmp', '/var/run/postgresql', '/run/postgresql']

export function clientConfig(
  options: ConnectionOptions,
  address: HostAddress,
): pg.ClientConfig & { scramMaxIterations: number; connection: pg.Connection } {
  const { user, password, database, sslnegotiation, enableChannelBinding, applicationName } = options
  const ssl = options.tls()
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS }
  const transport = { ssl, sslNegotiation: ssl ? sslnegotiation : 'postgres', ...keepAlive }
  return {
    ...address,
    connection: guardedConnection(transport, options.authentication, `${address.host}:${address.port}`),
    user,
    password: password ?? (passwordFromFile as () => Promise<string>), // called with the options, which pg's types omit
    database,
    ssl,
    ...(ssl && { sslnegotiation, enableChannelBinding }),
    application_name: applicationName,
    scramMaxIterations: MAX_SCRAM_ITERATIONS,
  }
}

type PasswordQuery = Parameters<typeof pgpass>[0]

/** Called if the server requires a password. @throws NO_PASSWORD */
async function passwordFromFile(connection: PasswordQuery): Promise<string> {
  const { host, port, database, user } = connection
  // As in libpq, a line for localhost serves its default folder.
  const hosts = socketFolders.includes(host) ? ['localhost', host] : [host]
  for (const name of hosts) {
    const password = await lineFor({ host: name, port, database, user })
    if (password !== undefined) return password
  }
  throw new Error(NO_PASSWORD)
}

const lineFor = (connection: PasswordQuery) =>
  new Promise<string | undefined>((resolve) => {
    pgpass(connection, resolve)
  })
