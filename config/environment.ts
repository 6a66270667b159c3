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
  /** Milliseconds between the signal to stop, when /readyz begins to fail, and the close. */
  shutdownDelay: number
  limits: LimitsConfig
  isProduction: boolean
  /** Undefined when traces are off. */
  tracing: { sampler: parsers.SamplerName; ratio: number; exportEvery: number } | undefined
  /** Undefined when metrics are off. */
  metrics: { host: string; port: number } | undefined
  /** Undefined when custom domains are not configured. */
  domains: DomainsConfig | undefined
}

export interface LimitsConfig {
  /** Undefined without a limit. */
  requests: parsers.Rate | undefined
  failedAuthentications: parsers.Rate | undefined
  /** Milliseconds; 0 for no limit. */
  maxEventLoopDelay: number
}

export interface DatabaseConfig {
  connection: ConnectionOptions
  poolSize: number
  /** Milliseconds that a request may take. */
  timeout: number
}

export interface AcmeConfig {
  directoryUrl: string
  email: string
  profile: string | undefined
  externalAccount: { kid: string; hmacKey: string } | undefined
}

export interface DomainsConfig {
  platform: { domain: string; cnameTarget: string }
  plan: 'free' | 'pro' | 'enterprise'
  /** In the order in which they are tried. */
  authorities: [AcmeConfig, ...AcmeConfig[]]
  ports: { http: number; https: number }
  /** How many domains there may be. */
  limit: number | undefined
  dataDir: string
  /** With any, the domains are in the database. */
  encryptionKeys: Buffer[]
  configurationFile: string | undefined
  dnsServers: string[]
  /** At the ports of the domains, over TLS. */
  servesApi: boolean
  /** The max-age of Strict-Transport-Security; 0 for none. */
  hstsSeconds: number
  keys: NamedKey[]
  webhook: WebhookConfig | undefined
}

export interface WebhookConfig {
  url: string
  /** Each one signs. */
  secrets: Buffer[]
}

/** Any one of them enables traces. */
const tracesVariables = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']

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
    authorities: authoritiesOf(env, { read, needed, refuse }),
    ports: { http: read('HTTP_PORT', parsers.port) ?? 80, https: read('HTTPS_PORT', parsers.port) ?? 443 },
    limit: read('DOMAINS_MAX', parsers.domainLimit),
    dataDir: env.DATA_DIR || 'data',
    encryptionKeys: encryptionKeysOf(env, read, refuse),
    configurationFile: env.DOMAINS_FILE || undefined,
    dnsServers: read('DNS_SERVERS', parsers.dnsServers) ?? [],
    servesApi: read('DOMAINS_SERVE_API', parsers.flag) ?? false,
    hstsSeconds: read('DOMAINS_HSTS', parsers.duration) ?? 0,
    keys: read('DASHBOARD_KEYS', parsers.dashboardKeys) ?? [],
    webhook: webhookOf(env, read, refuse),
  })
  const metrics = () => {
    const port = read('METRICS_PORT', parsers.port)
    const host = env.METRICS_HOST || '127.0.0.1'
    return port === undefined ? undefined : { host, port }
  }
  const tracing = (): Config['tracing'] => {
    const exporter = read('OTEL_TRACES_EXPORTER', parsers.tracesExporter)
    const isOn = exporter === 'otlp' || (!exporter && tracesVariables.some((name) => env[name]))
    read('OTEL_EXPORTER_OTLP_PROTOCOL', parsers.otlpProtocol)
    const sampler = read('OTEL_TRACES_SAMPLER', parsers.sampler) ?? 'parentbased_always_on'
    const ratio = read('OTEL_TRACES_SAMPLER_ARG', parsers.ratio) ?? 1
    const exportEvery = read('OTEL_BSP_SCHEDULE_DELAY', parsers.exportDelay) ?? 5000
    return isOn ? { sampler, ratio, exportEvery } : undefined
  }
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
    shutdownDelay: 1000 * (read('SHUTDOWN_DELAY', parsers.delay) ?? 0),
    metrics: metrics(),
    limits: limitsOf(read),
    tracing: tracing(),
    isProduction: env.NODE_ENV === 'production',
    domains: domainsVariables.some((name) => env[name]) ? domains() : undefined,
  })
}

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

function authoritiesOf(env: NodeJS.ProcessEnv, { read, needed, refuse }: Pick<Reader, 'read' | 'needed' | 'refuse'>) {
  const email = needed('ACME_EMAIL', parsers.email)
  const named = (prefix: string, otherwise?: string): AcmeConfig | undefined => {
    const directoryUrl = read(`${prefix}_DIRECTORY_URL`, parsers.httpsUrl) ?? otherwise
    const profile = read(`${prefix}_PROFILE`, parsers.token)
    const [keyId, hmac] = [`${prefix}_EAB_KEY_ID`, `${prefix}_EAB_HMAC_KEY`]
    const [kid, hmacKey] = [env[keyId], read(hmac, parsers.base64url)]
    if (Boolean(kid) !== Boolean(env[hmac])) refuse(kid ? hmac : keyId, 'is missing: an external account has both')
    const externalAccount = kid && hmacKey ? { kid, hmacKey } : undefined
    if (directoryUrl) return { directoryUrl, email, profile, externalAccount }
    if (profile || kid) refuse(`${prefix}_DIRECTORY_URL`, 'is missing: it names the authority')
    return undefined
  }
  const first = named('ACME', letsEncrypt) as AcmeConfig
  const fallback = named('ACME_FALLBACK')
  if (fallback?.directoryUrl === first.directoryUrl)
    refuse('ACME_FALLBACK_DIRECTORY_URL', 'must name another authority than ACME_DIRECTORY_URL')
  return [first, ...(fallback ? [fallback] : [])] satisfies DomainsConfig['authorities']
}

function limitsOf(read: Read): LimitsConfig {
  const requests = read('RATE_LIMIT', parsers.rate)
  const failures = read('AUTH_FAILURE_LIMIT', parsers.rateOrOff) ?? { max: 100, seconds: 60 }
  const maxEventLoopDelay = read('MAX_EVENT_LOOP_DELAY', parsers.milliseconds) ?? 1000
  return { requests, failedAuthentications: failures === 'off' ? undefined : failures, maxEventLoopDelay }
}

const orTheDatabase = 'must be empty where DATABASE_URL is set: run store-orders import FILE instead'

function encryptionKeysOf(env: NodeJS.ProcessEnv, read: Read, refuse: Refuse): Buffer[] {
  const keys = read('DOMAINS_ENCRYPTION_KEYS', parsers.encryptionKeys) ?? []
  if (keys.length > 0 && !env.DATABASE_URL)
    refuse('DOMAINS_ENCRYPTION_KEYS', 'is for domains in PostgreSQL: set DATABASE_URL')
  if (keys.length > 0 && env.DOMAINS_FILE) refuse('DOMAINS_FILE', 'must be empty where DOMAINS_ENCRYPTION_KEYS is set')
  return keys
}

function webhookOf(env: NodeJS.ProcessEnv, read: Read, refuse: Refuse): WebhookConfig | undefined {
  const url = read('DOMAINS_WEBHOOK_URL', parsers.webhookUrl)
  const secrets = read('DOMAINS_WEBHOOK_SECRET', parsers.webhookSecrets)
  if (url && secrets) return { url, secrets }
  if (url && !env.DOMAINS_WEBHOOK_SECRET) refuse('DOMAINS_WEBHOOK_SECRET', 'must be set: it signs the messages')
  return undefined
}

/** The webhook for commands. @throws like loadConfig */
export function loadWebhook(env: NodeJS.ProcessEnv = process.env): WebhookConfig {
  const { read, refuse, check } = reader(env)
  if (!env.DOMAINS_WEBHOOK_URL) refuse('DOMAINS_WEBHOOK_URL', `must be ${parsers.webhookUrl.expected}`)
  return check(webhookOf(env, read, refuse) as WebhookConfig)
}

/** The database for commands. @throws like loadConfig */
export function loadDatabase(env: NodeJS.ProcessEnv = process.env): ConnectionOptions {
  const { refuse, check } = reader(env)
  return check(neededConnection(env, refuse))
}

/** What a move of the domains from files to the database needs. @throws like loadConfig */
export function loadMove(env: NodeJS.ProcessEnv) {
  const { read, refuse, check } = reader(env)
  if (!env.DOMAINS_ENCRYPTION_KEYS) refuse('DOMAINS_ENCRYPTION_KEYS', `must be ${parsers.encryptionKeys.expected}`)
  const authorities = ['ACME_DIRECTORY_URL', 'ACME_FALLBACK_DIRECTORY_URL']
  return check({
    folder: env.DATA_DIR || 'data',
    configurationFile: env.DOMAINS_FILE || undefined,
    directoryUrls: [letsEncrypt, ...authorities.flatMap((name) => read(name, parsers.httpsUrl) ?? [])],
    connection: neededConnection(env, refuse),
    encryptionKeys: read('DOMAINS_ENCRYPTION_KEYS', parsers.encryptionKeys) ?? [],
  })
}

/** The file of the API keys for commands. @throws like loadConfig */
export function loadKeyFile(env: NodeJS.ProcessEnv = process.env): string {
  const { refuse, check } = reader(env)
  if (!env.API_KEYS_FILE) refuse('API_KEYS_FILE', 'must name the file of the API keys')
  return check(env.API_KEYS_FILE as string)
}

function neededConnection(env: NodeJS.ProcessEnv, refuse: Refuse): ConnectionOptions {
  if (!env.DATABASE_URL) refuse('DATABASE_URL', 'must name the database, like postgres://user@host:5432/database')
  return connectionOf(env, refuse) as ConnectionOptions
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
  const [first] = read('DASHBOARD_KEYS', parsers.dashboardKeys) ?? []
  return check({ ...addressOf(env, read), ...(first && { key: first.key }) })
}

/** The API for an agent: its address and a key. @throws like loadConfig */
export function loadApiAccess(env: NodeJS.ProcessEnv = process.env): { baseUrl: string; apiKey: string } {
  const { read, refuse, check } = reader(env)
  const baseUrl = read('STORE_ORDERS_URL', parsers.baseUrl) ?? 'http://127.0.0.1:3000/v1'
  const apiKey = env.STORE_ORDERS_KEY ?? ''
  if (apiKey === '') refuse('STORE_ORDERS_KEY', 'must be a key of the API')
  return check({ baseUrl, apiKey })
}

type Reader = ReturnType<typeof reader>
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
    const shown = /_(KEYS?|SECRET|WEBHOOK_URL)$/.test(name) ? '' : `, not "${text}"`
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
