// The options of one connection, for pg. Unless configured, the password comes from libpq's password file (PGPASSFILE, or
// ~/.pgpass).
import dns from 'node:dns'
import { type LookupFunction, Socket } from 'node:net'
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

/** @param rotation which address of a name comes first */
export function clientConfig(
  options: ConnectionOptions,
  address: HostAddress,
  rotation = 0,
): pg.ClientConfig & { scramMaxIterations: number; connection: pg.Connection } {
  const { user, password, database, sslnegotiation, enableChannelBinding, applicationName } = options
  const ssl = options.tls()
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS }
  const transport = {
    stream: rotatedSocket(rotation),
    ssl,
    sslNegotiation: ssl ? sslnegotiation : 'postgres',
    ...keepAlive,
  }
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

/* c8 ignore start -- depends on what the machine's resolver knows of a name */
/** A socket that begins with another address of a name, where it has several. */
function rotatedSocket(rotation: number): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket) as (...to: unknown[]) => Socket
  const lookup: LookupFunction = (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, addresses) => {
      const first = rotation % (addresses?.length || 1)
      const rotated = error ? [] : [...addresses.slice(first), ...addresses.slice(0, first)]
      const [address] = rotated
      if (options.all || !address) done(error, rotated)
      else done(error, address.address, address.family)
    })
  }
  // pg connects to a port and a host, or to the path of a Unix socket.
  socket.connect = ((port: number | string, host?: string) =>
    typeof port === 'string' ? connect(port) : connect({ port, host, lookup })) as typeof socket.connect
  return socket
}

/** How many addresses a host has. */
export async function addressCount({ host }: HostAddress): Promise<number> {
  if (host.startsWith('/')) return 1
  return new Promise((resolve) => {
    dns.lookup(host, { all: true }, (error, addresses) => resolve(error ? 1 : addresses.length))
  })
}
/* c8 ignore stop */

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
