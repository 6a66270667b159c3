// Reads a connection string and the standard libpq environment variables. TLS is verified by default.
import os from 'node:os'
import { type AuthenticationPolicy, allowedMethods } from './authentication.ts'
import { ignoredOf, variables } from './libpq.ts'
import { oneOf, type TlsOptions, tlsOptions } from './tls-options.ts'

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
  authentication: AuthenticationPolicy
  /** Where the server offers it. */
  enableChannelBinding: boolean
  applicationName: string
  /** More settings of the session, as libpq's `options`. */
  options: string
  /** Parameters and variables without an effect. */
  ignored: string[]
}

export interface HostAddress {
  host: string
  port: number
}

type Env = Record<string, string | undefined>

const pattern = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

type System = Pick<typeof os, 'homedir'> & { userInfo(): { username: string } }

/** @throws without quoting the text: it may contain a misplaced password */
export function parseConnectionString(text: string, env: Env, system: System = os): ConnectionOptions {
  const [matched, user, password, hostList = '', dbname, query = ''] = pattern.exec(text) ?? []
  if (matched === undefined) throw new Error('must be like postgres://user@host:5432/database')
  const parameters = Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B'))) // as in libpq, a plus is a plus
  const ignored = ignoredOf(parameters, env)
  const urlParts: Env = { user: decode(user), password: decode(password), dbname: decode(dbname) }
  const setting = (name: string) => urlParts[name] || parameters[name] || env[variables[name] as string] || undefined

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
  const bindings = ['disable', 'prefer', 'require'] as const
  const channelBinding = oneOf('channel_binding', setting('channel_binding') ?? 'disable', [...bindings])
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
    enableChannelBinding: channelBinding !== 'disable',
    authentication: {
      allowed: allowedMethods(setting('require_auth')),
      needsChannelBinding: channelBinding === 'require',
    },
    applicationName: setting('application_name') ?? 'store-orders',
    options: setting('options') ?? '',
    ignored,
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
