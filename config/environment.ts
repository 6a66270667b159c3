// The only reader of the environment. Reports all invalid variables together.
import process from 'node:process'
import type { Servers } from '../spec/document.ts'
import { type ConnectionOptions, parseConnectionString } from '../store/postgres/connection-string.ts'
import * as parsers from './env-parsers.ts'
import type { NamedKey } from './keys.ts'

export interface Config {
  host: string
  port: number
  apiKeys: NamedKey[]
  apiKeysFile: string | undefined
  ordersFile: string | undefined
  /** Undefined if orders are held in memory. */
  database: DatabaseConfig | undefined
  servers: Servers
  corsOrigins: string[]
  trustProxy: string[]
  logLevel: string
  isProduction: boolean
  /** Undefined when custom domains are not configured. */
  domains: DomainsConfig | undefined
}

export interface DatabaseConfig {
  connection: ConnectionOptions
  poolSize: number
  /** Milliseconds that a request may take. */
  timeout: number
}

export interface DomainsConfig {
  platform: { domain: string; cnameTarget: string }
  plan: 'free' | 'pro' | 'enterprise'
  acme: { directoryUrl: string; email: string }
  ports: { http: number; https: number }
  dataDir: string
  configurationFile: string | undefined
  dnsServers: string[]
  keys: NamedKey[]
}

/** Any one of them enables custom domains. */
const domainsVariables = ['PLATFORM_DOMAIN', 'PLATFORM_CNAME_TARGET', 'ACME_EMAIL', 'DASHBOARD_KEYS', 'DOMAINS_FILE']

/**
 * An empty variable counts as unset.
 * @throws with a line for each invalid variable
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { read, needed, refuse, check } = reader(env)
  const domains = (): DomainsConfig => ({
    platform: {
      domain: needed('PLATFORM_DOMAIN', parsers.domain),
      cnameTarget: needed('PLATFORM_CNAME_TARGET', parsers.domain),
    },
    plan: read('PLAN', parsers.plan) ?? 'pro',
    acme: {
      directoryUrl: read('ACME_DIRECTORY_URL', parsers.httpsUrl) ?? 'https://acme-v02.api.letsencrypt.org/directory',
      email: needed('ACME_EMAIL', parsers.email),
    },
    ports: { http: read('HTTP_PORT', parsers.port) ?? 80, https: read('HTTPS_PORT', parsers.port) ?? 443 },
    dataDir: env.DATA_DIR || 'data',
    configurationFile: env.DOMAINS_FILE || undefined,
    dnsServers: read('DNS_SERVERS', parsers.dnsServers) ?? [],
    keys: read('DASHBOARD_KEYS', parsers.keys) ?? [],
  })
  const database = (): DatabaseConfig | undefined => {
    const poolSize = read('DATABASE_POOL_SIZE', parsers.poolSize) ?? 10
    const timeout = 1000 * (read('DATABASE_TIMEOUT', parsers.seconds) ?? 5)
    const connection = connectionOf(env, refuse)
    if (connection && env.ORDERS_FILE) refuse('ORDERS_FILE', orTheDatabase)
    return connection && { connection, poolSize, timeout }
  }
  return check({
    ...addressOf(env, read),
    apiKeys: read('API_KEYS', parsers.keys) ?? [],
    apiKeysFile: env.API_KEYS_FILE || undefined,
    ordersFile: env.ORDERS_FILE || undefined,
    database: database(),
    servers: { production: read('BASE_URL', parsers.baseUrl), staging: read('STAGING_BASE_URL', parsers.baseUrl) },
    corsOrigins: read('CORS_ORIGINS', parsers.origins) ?? [],
    trustProxy: read('TRUST_PROXY', parsers.networks) ?? [],
    logLevel: read('LOG_LEVEL', parsers.logLevel) ?? 'info',
    isProduction: env.NODE_ENV === 'production',
    domains: domainsVariables.some((name) => env[name]) ? domains() : undefined,
  })
}

const orTheDatabase = 'must be empty where DATABASE_URL is set: run store-orders import FILE instead'

/** The database for commands. @throws like loadConfig */
export function loadDatabase(env: NodeJS.ProcessEnv = process.env): ConnectionOptions {
  const { refuse, check } = reader(env)
  if (!env.DATABASE_URL) refuse('DATABASE_URL', 'must name the database, like postgres://user@host:5432/database')
  return check(connectionOf(env, refuse) as ConnectionOptions)
}

function connectionOf(env: NodeJS.ProcessEnv, refuse: Refuse): ConnectionOptions | undefined {
  if (!env.DATABASE_URL) return undefined
  try {
    return parseConnectionString(env.DATABASE_URL, env)
  } catch (error) {
    refuse('DATABASE_URL', (error as Error).message)
    return undefined
  }
}

/** The address of a running server, and a key of its dashboard. @throws like loadConfig */
export function loadConnection(env: NodeJS.ProcessEnv = process.env): { host: string; port: number; key?: string } {
  const { read, check } = reader(env)
  const [first] = read('DASHBOARD_KEYS', parsers.keys) ?? []
  return check({ ...addressOf(env, read), ...(first && { key: first.key }) })
}

type Refuse = (name: string, message: string) => void
type Read = <T>(name: string, form: parsers.Form<T>) => T | undefined

function addressOf(env: NodeJS.ProcessEnv, read: Read) {
  return { host: env.HOST || '127.0.0.1', port: read('PORT', parsers.port) ?? 3000 }
}

function reader(env: NodeJS.ProcessEnv) {
  const problems: string[] = []
  const read: Read = (name, { expected, parse }) => {
    const text = env[name]
    if (text === undefined || text === '') return undefined
    const value = parse(text)
    const shown = name.endsWith('_KEYS') ? '' : `, not "${text}"`
    if (value === undefined) problems.push(`${name} must be ${expected}${shown}`)
    return value
  }
  return {
    read,
    refuse(name: string, message: string) {
      problems.push(`${name} ${message}`)
    },
    /** Custom domains require it. */
    needed(name: string, form: parsers.Form<string>): string {
      if (!env[name]) problems.push(`${name} must be ${form.expected}: custom domains need it`)
      return read(name, form) ?? ''
    },
    check<T>(value: T): T {
      if (problems.length > 0) throw new Error(problems.join('\n'))
      return value
    },
  }
}
