// The configuration of the server and of the commands, from the environment. All invalid variables are reported together.
import process from 'node:process'
import type { Receiver } from 'custom-domains'
import { type ConnectionOptions, parseConnectionString } from '../store/postgres/connection-string.ts'
import { type DomainsConfig, domainsOf, letsEncrypt, webhookOf } from './domains.ts'
import type { NamedKey } from './keys/key-set.ts'
import { proxyEnvOf, proxyWarnings } from './proxies.ts'
import { tracingOf } from './tracing.ts'
import { nameWarnings } from './variables/names.ts'
import { openReader, type Reader } from './variables/reader.ts'
import { variables } from './variables/table.ts'

export type { DomainsConfig }

export type Config = ReturnType<typeof loadConfig>

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
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const reader = openReader(env)
  const { read, check } = reader
  const address = addressOf(reader)
  const apiKeys = read('API_KEYS') ?? []
  const isProduction = read('NODE_ENV') === 'production'
  const misspelled = nameWarnings(env)
  const config = {
    ...address,
    apiKeys,
    apiKeysFile: read('API_KEYS_FILE'),
    ordersFile: read('ORDERS_FILE'),
    /** Undefined if orders are held in memory. */
    database: databaseOf(reader),
    servers: { production: read('BASE_URL'), staging: read('STAGING_BASE_URL') },
    /** Passed to the app unchanged. */
    app: {
      corsOrigins: read('CORS_ORIGINS') ?? [],
      trustProxy: read('TRUST_PROXY') ?? [],
      keepAliveTimeout: read('KEEP_ALIVE_TIMEOUT') ?? 72_000,
      rateLimits: rateLimitsOf(reader),
      maxEventLoopDelay: read('MAX_EVENT_LOOP_DELAY') ?? 250,
      checkResponses: read('CHECK_RESPONSES') ?? false,
    },
    logLevel: read('LOG_LEVEL') ?? 'info',
    /** Milliseconds from the stop signal, when /readyz begins to fail, until the server closes. */
    shutdownDelay: read('SHUTDOWN_DELAY') ?? (isProduction ? 5_000 : 0),
    /** Undefined when metrics are off, as are `tracing` and `domains` when those are. */
    metrics: metricsOf(reader),
    /** The share of all connections that one address may hold, above 0 and up to 1. */
    maxAddressShare: read('MAX_ADDRESS_SHARE') ?? 0.25,
    tracing: tracingOf(reader),
    isProduction,
    domains: domainsOf(reader),
    /** One for each key that is valid but easy to guess, and for each ignored value. */
    warnings: [...keyWarnings(apiKeys), ...reader.warnings],
    /** One for each variable whose name is probably misspelled. */
    misspelled,
  }
  if (isProduction && !config.database && !config.ordersFile)
    config.warnings.push('the orders are a small sample: DATABASE_URL and ORDERS_FILE are not set')
  if (config.tracing || config.domains) config.warnings.push(...proxyWarnings(env))
  return check(config, misspelled)
}

function keyWarnings(keys: NamedKey[]): string[] {
  const short = keys.filter(({ key }) => key.length < MIN_KEY_LENGTH)
  return short.map(
    ({ name }) => `API_KEYS: the key ${name} has fewer than ${MIN_KEY_LENGTH} characters, so it is easy to guess`,
  )
}

function addressOf({ read }: Reader) {
  return { host: read('HOST') ?? '127.0.0.1', port: read('PORT') ?? 3000 }
}

function databaseOf(reader: Reader): DatabaseConfig | undefined {
  const { read, isSet, reject } = reader
  const poolSize = read('DATABASE_POOL_SIZE') ?? 10
  const timeout = read('DATABASE_TIMEOUT') ?? 5_000
  const connection = connectionOf(reader)
  if (connection && isSet('ORDERS_FILE'))
    reject('ORDERS_FILE', 'must be empty where DATABASE_URL is set: run store-orders import FILE instead')
  return connection && { connection, poolSize, timeout }
}

function connectionOf({ env, read, reject, warn }: Reader): ConnectionOptions | undefined {
  const url = read('DATABASE_URL')
  if (!url) return undefined
  try {
    const connection = parseConnectionString(url, env)
    for (const name of connection.ignored) warn(`DATABASE_URL: ${name} has no effect`)
    return connection
  } catch (error) {
    reject('DATABASE_URL', (error as Error).message)
    return undefined
  }
}

function metricsOf({ read }: Reader) {
  const port = read('METRICS_PORT')
  const host = read('METRICS_HOST') ?? '127.0.0.1'
  return port === undefined ? undefined : { host, port }
}

function rateLimitsOf({ read }: Reader) {
  const failures = read('AUTH_FAILURE_LIMIT') ?? { max: 100, seconds: 60 }
  return {
    requests: read('RATE_LIMIT'),
    failedAuthentications: failures === 'off' ? undefined : failures,
  }
}

/** Makes the loader of a command's variables. @throws like loadConfig */
const loader =
  <T>(read: (reader: Reader) => T) =>
  (env: NodeJS.ProcessEnv = process.env): T => {
    const reader = openReader(env)
    return reader.check(read(reader))
  }

export const loadWebhook = loader((reader) => {
  rejectUnset(reader, 'DOMAINS_WEBHOOK_URL')
  return { ...(webhookOf(reader) as Receiver), proxyEnv: proxyEnvOf(reader.env) }
})

export const loadDatabase = loader(neededConnection)

/** Settings for the import of domains from files into the database. */
export const loadImport = loader((reader) => {
  const { read } = reader
  rejectUnset(reader, 'DOMAINS_ENCRYPTION_KEYS')
  const authorities = ['ACME_DIRECTORY_URL', 'ACME_FALLBACK_DIRECTORY_URL'] as const
  return {
    folder: read('DATA_DIR') ?? 'data',
    configurationFile: read('DOMAINS_FILE'),
    directoryUrls: [letsEncrypt, ...authorities.flatMap((name) => read(name) ?? [])],
    connection: neededConnection(reader),
    encryptionKeys: read('DOMAINS_ENCRYPTION_KEYS') ?? [],
  }
})

/** The storage of the domains, and their authorities. */
export const loadRehearsal = loader((reader) => ({ domains: domainsOf(reader), database: databaseOf(reader) }))

/** The file of the API keys. */
export const loadKeyFile = loader(({ read, isSet, reject }) => {
  if (!isSet('API_KEYS_FILE')) reject('API_KEYS_FILE', 'must name the file of the API keys')
  return read('API_KEYS_FILE') as string
})

/** The address of a running server, and a key of its dashboard. */
export const loadConnection = loader((reader) => {
  const [first] = reader.read('DASHBOARD_KEYS') ?? []
  return { ...addressOf(reader), ...(first && { key: first.key }) }
})

/** The API for an agent: its address and a key. */
export const loadApiAccess = loader(({ read, isSet, reject }) => {
  const baseUrl = read('STORE_ORDERS_URL') ?? 'http://127.0.0.1:3000/v1'
  const apiKey = read('STORE_ORDERS_KEY') ?? ''
  if (!isSet('STORE_ORDERS_KEY')) reject('STORE_ORDERS_KEY', 'must be a key of the API')
  return { baseUrl, apiKey }
})

function rejectUnset({ isSet, reject }: Reader, name: 'DOMAINS_WEBHOOK_URL' | 'DOMAINS_ENCRYPTION_KEYS') {
  if (!isSet(name)) reject(name, `must be ${variables[name].expected}`)
}

function neededConnection(reader: Reader): ConnectionOptions {
  if (!reader.isSet('DATABASE_URL'))
    reader.reject('DATABASE_URL', 'must name the database, like postgres://user@host:5432/database')
  return connectionOf(reader) as ConnectionOptions
}
