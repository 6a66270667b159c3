// The configuration of the server and of the commands, from the environment. All invalid variables are reported together.
import process from 'node:process'
import type { Servers } from '../spec/document.ts'
import { type ConnectionOptions, parseConnectionString } from '../store/postgres/connection-string.ts'
import * as domainFormats from './domain-formats.ts'
import { type DomainsConfig, domainsOf, letsEncrypt, type WebhookConfig, webhookOf } from './domains.ts'
import * as formats from './formats.ts'
import type { NamedKey } from './keys/key-set.ts'
import { nameWarnings } from './names.ts'
import { openReader, type Reader } from './reader.ts'

export type { DomainsConfig }

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
  /** Milliseconds from the stop signal, when /readyz begins to fail, until the server closes. */
  shutdownDelay: number
  limits: LimitsConfig
  isProduction: boolean
  /** Whether what handlers return is checked against the document. */
  checkResponses: boolean
  /** Undefined when traces are off. */
  tracing: { sampler: formats.SamplerName; ratio: number; exportEvery: number } | undefined
  /** Undefined when metrics are off. */
  metrics: { host: string; port: number } | undefined
  /** Undefined when custom domains are not configured. */
  domains: DomainsConfig | undefined
  /** One for each key that is valid but easy to guess. */
  warnings: string[]
  /** One for each variable whose name is probably misspelled. */
  misspelled: string[]
}

export interface LimitsConfig {
  /** Undefined without a limit. */
  requests: formats.Rate | undefined
  failedAuthentications: formats.Rate | undefined
  /** How long requests may wait, in milliseconds; 0 for no limit. */
  maxEventLoopDelay: number
}

export interface DatabaseConfig {
  connection: ConnectionOptions
  poolSize: number
  /** Milliseconds that a request may take. */
  timeout: number
}

/** Shorter keys cause a warning. */
const MIN_KEY_LENGTH = 16

/**
 * An empty variable counts as unset.
 * @throws with a line for each invalid variable
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const reader = openReader(env)
  const { read, check } = reader
  const address = addressOf(reader)
  const apiKeys = read('API_KEYS', formats.keys) ?? []
  const isProduction = env.NODE_ENV === 'production'
  const misspelled = nameWarnings(env)
  const config = {
    ...address,
    apiKeys,
    apiKeysFile: env.API_KEYS_FILE || undefined,
    ordersFile: env.ORDERS_FILE || undefined,
    database: databaseOf(reader),
    servers: { production: read('BASE_URL', formats.baseUrl), staging: read('STAGING_BASE_URL', formats.baseUrl) },
    corsOrigins: read('CORS_ORIGINS', formats.origins) ?? [],
    trustProxy: read('TRUST_PROXY', formats.networks) ?? [],
    logLevel: read('LOG_LEVEL', formats.logLevel) ?? 'info',
    shutdownDelay: 1000 * (read('SHUTDOWN_DELAY', formats.delay) ?? (isProduction ? 5 : 0)),
    metrics: metricsOf(reader),
    limits: limitsOf(reader),
    tracing: tracingOf(reader),
    isProduction,
    checkResponses: read('CHECK_RESPONSES', formats.flag) ?? false,
    domains: domainsOf(reader),
    warnings: keyWarnings(apiKeys),
    misspelled,
  }
  return check(config, misspelled)
}

function keyWarnings(keys: NamedKey[]): string[] {
  const short = keys.filter(({ key }) => key.length < MIN_KEY_LENGTH)
  return short.map(
    ({ name }) => `API_KEYS: the key ${name} has fewer than ${MIN_KEY_LENGTH} characters, so it is easy to guess`,
  )
}

function addressOf({ read }: Reader) {
  return { host: read('HOST', formats.host) ?? '127.0.0.1', port: read('PORT', formats.port) ?? 3000 }
}

function databaseOf(reader: Reader): DatabaseConfig | undefined {
  const { env, read, reject } = reader
  const poolSize = read('DATABASE_POOL_SIZE', formats.poolSize) ?? 10
  const timeout = 1000 * (read('DATABASE_TIMEOUT', formats.seconds) ?? 5)
  const connection = connectionOf(reader)
  if (connection && env.ORDERS_FILE)
    reject('ORDERS_FILE', 'must be empty where DATABASE_URL is set: run store-orders import FILE instead')
  return connection && { connection, poolSize, timeout }
}

function connectionOf({ env, reject }: Reader): ConnectionOptions | undefined {
  if (!env.DATABASE_URL) return undefined
  try {
    return parseConnectionString(env.DATABASE_URL, env)
  } catch (error) {
    reject('DATABASE_URL', (error as Error).message)
    return undefined
  }
}

function metricsOf({ read }: Reader): Config['metrics'] {
  const port = read('METRICS_PORT', formats.port)
  const host = read('METRICS_HOST', formats.host) ?? '127.0.0.1'
  return port === undefined ? undefined : { host, port }
}

function limitsOf({ read }: Reader): LimitsConfig {
  const requests = read('RATE_LIMIT', formats.rate)
  const failures = read('AUTH_FAILURE_LIMIT', formats.rateOrOff) ?? { max: 100, seconds: 60 }
  const maxEventLoopDelay = read('MAX_EVENT_LOOP_DELAY', formats.milliseconds) ?? 250
  return { requests, failedAuthentications: failures === 'off' ? undefined : failures, maxEventLoopDelay }
}

/** The variables are OpenTelemetry's. Its exporter reads the endpoints and headers itself, but accepts invalid ones. */
function tracingOf({ read }: Reader): Config['tracing'] {
  const exporter = read('OTEL_TRACES_EXPORTER', formats.tracesExporter)
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].map((name) =>
    read(name, formats.httpUrl),
  )
  read('OTEL_EXPORTER_OTLP_HEADERS', formats.headers)
  read('OTEL_EXPORTER_OTLP_TRACES_HEADERS', formats.headers)
  read('OTEL_EXPORTER_OTLP_PROTOCOL', formats.otlpProtocol)
  const sampler = read('OTEL_TRACES_SAMPLER', formats.sampler) ?? 'parentbased_always_on'
  const ratio = read('OTEL_TRACES_SAMPLER_ARG', formats.ratio) ?? 1
  const exportEvery = read('OTEL_BSP_SCHEDULE_DELAY', formats.exportDelay) ?? 5000
  const isDisabled = read('OTEL_SDK_DISABLED', formats.anyFlag) === true || exporter === 'none'
  const isOn = !isDisabled && (exporter === 'otlp' || endpoints.some(Boolean))
  return isOn ? { sampler, ratio, exportEvery } : undefined
}

/** The webhook for commands. @throws like loadConfig */
export function loadWebhook(env: NodeJS.ProcessEnv = process.env): WebhookConfig {
  const reader = openReader(env)
  if (!env.DOMAINS_WEBHOOK_URL) reader.reject('DOMAINS_WEBHOOK_URL', `must be ${domainFormats.webhookUrl.expected}`)
  return reader.check(webhookOf(reader) as WebhookConfig)
}

/** The database for commands. @throws like loadConfig */
export function loadDatabase(env: NodeJS.ProcessEnv = process.env): ConnectionOptions {
  const reader = openReader(env)
  return reader.check(neededConnection(reader))
}

/** For moving the domains from files to the database. @throws like loadConfig */
export function loadImport(env: NodeJS.ProcessEnv) {
  const reader = openReader(env)
  const { read, reject, check } = reader
  if (!env.DOMAINS_ENCRYPTION_KEYS)
    reject('DOMAINS_ENCRYPTION_KEYS', `must be ${domainFormats.encryptionKeys.expected}`)
  const authorities = ['ACME_DIRECTORY_URL', 'ACME_FALLBACK_DIRECTORY_URL']
  return check({
    folder: env.DATA_DIR || 'data',
    configurationFile: env.DOMAINS_FILE || undefined,
    directoryUrls: [letsEncrypt, ...authorities.flatMap((name) => read(name, domainFormats.httpsUrl) ?? [])],
    connection: neededConnection(reader),
    encryptionKeys: read('DOMAINS_ENCRYPTION_KEYS', domainFormats.encryptionKeys) ?? [],
  })
}

function neededConnection(reader: Reader): ConnectionOptions {
  if (!reader.env.DATABASE_URL)
    reader.reject('DATABASE_URL', 'must name the database, like postgres://user@host:5432/database')
  return connectionOf(reader) as ConnectionOptions
}

/** The file of the API keys for commands. @throws like loadConfig */
export function loadKeyFile(env: NodeJS.ProcessEnv = process.env): string {
  const { reject, check } = openReader(env)
  if (!env.API_KEYS_FILE) reject('API_KEYS_FILE', 'must name the file of the API keys')
  return check(env.API_KEYS_FILE as string)
}

/** The address of a running server, and a key of its dashboard. @throws like loadConfig */
export function loadConnection(env: NodeJS.ProcessEnv = process.env): { host: string; port: number; key?: string } {
  const reader = openReader(env)
  const [first] = reader.read('DASHBOARD_KEYS', domainFormats.dashboardKeys) ?? []
  return reader.check({ ...addressOf(reader), ...(first && { key: first.key }) })
}

/** The API for an agent: its address and a key. @throws like loadConfig */
export function loadApiAccess(env: NodeJS.ProcessEnv = process.env): { baseUrl: string; apiKey: string } {
  const { read, reject, check } = openReader(env)
  const baseUrl = read('STORE_ORDERS_URL', formats.baseUrl) ?? 'http://127.0.0.1:3000/v1'
  const apiKey = env.STORE_ORDERS_KEY ?? ''
  if (apiKey === '') reject('STORE_ORDERS_KEY', 'must be a key of the API')
  return check({ baseUrl, apiKey })
}
