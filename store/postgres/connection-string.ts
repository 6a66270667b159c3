// Reads a connection string and the standard libpq environment variables. TLS is verified by default.
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'

export interface ConnectionOptions {
  /** Tried in turn until one accepts writes. A host that starts with a slash is the directory of a Unix socket. */
  hosts: HostAddress[]
  user: string
  database: string
  /** If undefined, the password file is used: PGPASSFILE or ~/.pgpass. */
  password: string | undefined
  /** Reads the files at each connection: certificates and keys may be replaced. */
  tls(): TlsOptions | false
  sslnegotiation: 'postgres' | 'direct'
  /** Where the server offers it. */
  enableChannelBinding: boolean
  applicationName: string
  /** More settings of the session, as libpq's `options`. */
  options: string
  /** Parameters without an effect. */
  ignored: string[]
}

export interface HostAddress {
  host: string
  port: number
}

/** A subset of those of node:tls. */
interface TlsOptions {
  rejectUnauthorized: boolean
  ca?: string
  cert?: string
  key?: string
  checkServerIdentity?: () => undefined
}

type Env = Record<string, string | undefined>

const pattern = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

/** The parameters of the connection string, each with the environment variable that can replace it. */
const variables: Record<string, string> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  application_name: 'PGAPPNAME',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  channel_binding: 'PGCHANNELBINDING',
  sslnegotiation: 'PGSSLNEGOTIATION',
  options: 'PGOPTIONS',
}

/** Parameters of libpq that change neither which server is reached nor how it is verified. */
const harmless = new Set([
  ...['connect_timeout', 'load_balance_hosts', 'fallback_application_name', 'client_encoding', 'tcp_user_timeout'],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
  ...['gssencmode', 'krbsrvname', 'gsslib', 'sslcompression', 'sslsni'],
])

type System = Pick<typeof os, 'homedir'> & { userInfo(): { username: string } }

/** @throws without quoting the text: it may contain a misplaced password */
export function parseConnectionString(text: string, env: Env, system: System = os): ConnectionOptions {
  const [matched, user, password, hostList = '', dbname, query = ''] = pattern.exec(text) ?? []
  if (matched === undefined) throw new Error('must be like postgres://user@host:5432/database')
  if (env.PGSERVICE) throw new Error('does not support services: unset PGSERVICE, and name the server here')
  const parameters = Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B'))) // as in libpq, a plus is a plus
  for (const name in parameters) {
    if (!(name in variables) && !harmless.has(name))
      throw new Error(`has the parameter "${name}", which is not supported: use ${Object.keys(variables).join(', ')}`)
  }
  const given: Env = { user: decode(user), password: decode(password), dbname: decode(dbname) }
  const setting = (name: string) => given[name] || parameters[name] || env[variables[name] as string] || undefined

  const hosts = hostList ? hostList.split(',').map(addressOf) : addresses(setting('host'))
  const ports = hostList ? [] : (setting('port')?.split(',') ?? [])
  const withPorts = hosts.map(({ host, port }, index) => ({
    host,
    port: portOf(port ?? ports[index] ?? ports[0] ?? env.PGPORT?.split(',')[0] ?? '5432'),
  }))
  const target = setting('target_session_attrs') ?? 'read-write'
  if (!['any', 'read-write', 'primary'].includes(target)) {
    throw new Error(`has target_session_attrs=${target}: cancellations need read-write`)
  }
  const name = setting('user') ?? ifNamed(() => system.userInfo().username)
  if (!name) throw new Error('must name the user, like postgres://user@host: that of this process has no name')
  return {
    hosts: withPorts,
    user: name,
    database: setting('dbname') ?? name,
    password: setting('password'),
    tls: tlsOptions(
      setting,
      withPorts.map(({ host }) => host),
      env.HOME ?? ifNamed(system.homedir) ?? '/',
    ),
    sslnegotiation: oneOf('sslnegotiation', setting('sslnegotiation') ?? 'postgres', ['postgres', 'direct']),
    enableChannelBinding:
      oneOf('channel_binding', setting('channel_binding') ?? 'disable', ['disable', 'prefer', 'require']) !== 'disable',
    applicationName: setting('application_name') ?? 'store-orders',
    options: setting('options') ?? '',
    ignored: Object.keys(parameters).filter((name) => harmless.has(name)),
  }
}

/** A container may run as a user ID without an entry in /etc/passwd. */
function ifNamed(lookUp: () => string): string | undefined {
  try {
    return lookUp()
  } catch {
    return undefined
  }
}

function addressOf(text: string): { host: string; port?: string } {
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(.*))?$/s.exec(text) as unknown as (
    | string
    | undefined
  )[]
  const host = bracketed ?? decode(plain)
  if (!host || host.includes('@')) throw new Error('has an invalid host: write an @ in a password as %40')
  return { host, ...(port && { port }) }
}

function addresses(hosts: string | undefined): { host: string; port?: string }[] {
  return (hosts ?? 'localhost').split(',').map((host) => ({ host }))
}

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65535) throw new Error('has an invalid port')
  return port
}

function decode(text: string | undefined): string | undefined
function decode(text: string): string
function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    throw new Error('has a % that is not part of an escape: write it as %25')
  }
}

const isLocal = (host: string) => host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(host)

function tlsOptions(
  setting: (name: string) => string | undefined,
  hosts: string[],
  home: string,
): ConnectionOptions['tls'] {
  const isPlain = hosts.every(isLocal) && setting('sslrootcert') === undefined
  const mode = setting('sslmode') ?? (isPlain ? 'disable' : 'verify-full')
  if (mode === 'disable') {
    if (setting('channel_binding') === 'require')
      throw new Error('has channel_binding=require, but no TLS: set sslmode=verify-full')
    return () => false
  }
  oneOf('sslmode', mode, ['disable', 'require', 'verify-ca', 'verify-full'])
  const root = setting('sslrootcert') ?? ifReadable(join(home, '.postgresql/root.crt'))
  const cert = setting('sslcert') ?? ifReadable(join(home, '.postgresql/postgresql.crt'))
  const key = setting('sslkey') ?? ifReadable(join(home, '.postgresql/postgresql.key'))
  const options = () => ({
    // As in libpq, "require" only encrypts, unless a certificate authority is given.
    rejectUnauthorized: mode !== 'require' || root !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(root && root !== 'system' && { ca: fileOf('sslrootcert', root) }),
    ...(cert && { cert: fileOf('sslcert', cert) }),
    ...(key && { key: fileOf('sslkey', key) }),
  })
  options() // a missing file is found at the start
  return options
}

function oneOf<T extends string>(parameter: string, value: string, allowed: T[]): T {
  if (allowed.includes(value as T)) return value as T
  throw new Error(`has ${parameter}=${value}: it must be one of ${allowed.join(', ')}`)
}

function ifReadable(path: string): string | undefined {
  try {
    readFileSync(path)
    return path
  } catch {
    return undefined
  }
}

function fileOf(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`has ${parameter}=${path}, which cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
