// All variables by name, with their formats.
import * as domains from './domain-formats.ts'
import * as formats from './formats.ts'
import * as tracing from './tracing-formats.ts'

const { text, port, host } = formats

export const variables = {
  NODE_ENV: formats.oneOf('production', 'development', 'test'),
  HOST: host,
  PORT: port,
  API_KEYS: formats.keys,
  API_KEYS_FILE: text,
  DATABASE_URL: text,
  DATABASE_POOL_SIZE: formats.wholeNumber(1, 1000),
  DATABASE_TIMEOUT: formats.duration('s', 1, 300),
  ORDERS_FILE: text,
  BASE_URL: formats.baseUrl,
  STAGING_BASE_URL: formats.baseUrl,
  CORS_ORIGINS: formats.origins,
  TRUST_PROXY: formats.networks,
  LOG_LEVEL: formats.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  KEEP_ALIVE_TIMEOUT: formats.duration('s', 1, 3600),
  SHUTDOWN_DELAY: formats.duration('s', 0, 300),
  METRICS_PORT: port,
  METRICS_HOST: host,
  RATE_LIMIT: formats.rate,
  AUTH_FAILURE_LIMIT: formats.rateOrOff,
  MAX_EVENT_LOOP_DELAY: formats.duration('ms', 0, 9999),
  MAX_ADDRESS_SHARE: formats.share,
  CHECK_RESPONSES: formats.flag,

  OTEL_SDK_DISABLED: tracing.disabled,
  OTEL_TRACES_EXPORTER: tracing.exporters,
  OTEL_EXPORTER_OTLP_ENDPOINT: tracing.endpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracing.endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: text,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: text,
  OTEL_EXPORTER_OTLP_PROTOCOL: tracing.protocol,
  OTEL_EXPORTER_OTLP_TIMEOUT: text,
  OTEL_SERVICE_NAME: text,
  OTEL_RESOURCE_ATTRIBUTES: text,
  OTEL_TRACES_SAMPLER: tracing.sampler,
  OTEL_TRACES_SAMPLER_ARG: tracing.ratio,
  OTEL_BSP_SCHEDULE_DELAY: formats.wholeNumber(1, 60_000),

  PLATFORM_DOMAIN: domains.domain,
  PLATFORM_CNAME_TARGET: domains.targets,
  PLAN: formats.oneOf('free', 'pro', 'enterprise'),
  ACME_EMAIL: domains.email,
  ACME_DIRECTORY_URL: domains.httpsUrl,
  ACME_ORDER_LIMIT: formats.wholeNumber(1, 1_000_000),
  ACME_PROFILE: domains.token,
  ACME_EAB_KEY_ID: text,
  ACME_EAB_HMAC_KEY: domains.base64url,
  ACME_FALLBACK_DIRECTORY_URL: domains.httpsUrl,
  ACME_FALLBACK_PROFILE: domains.token,
  ACME_FALLBACK_EAB_KEY_ID: text,
  ACME_FALLBACK_EAB_HMAC_KEY: domains.base64url,
  DASHBOARD_KEYS: domains.dashboardKeys,
  HTTP_PORT: port,
  HTTPS_PORT: port,
  DATA_DIR: text,
  DOMAINS_FILE: text,
  DOMAINS_ENCRYPTION_KEYS: domains.encryptionKeys,
  DOMAINS_SERVE_API: formats.flag,
  DOMAINS_MAX: formats.wholeNumber(1, 100_000),
  DOMAINS_HSTS: formats.duration('s', 0, 63_072_000),
  DOMAINS_WEBHOOK_URL: domains.webhookUrl,
  DOMAINS_WEBHOOK_SECRET: domains.webhookSecrets,
  DNS_SERVERS: domains.dnsServers,

  // The command mcp reads these.
  STORE_ORDERS_URL: formats.apiUrl,
  STORE_ORDERS_KEY: text,
} satisfies Record<string, formats.Format<unknown>>

export type Name = keyof typeof variables

/** Each of these can be in a file instead, which NAME_FILE names. No message shows their values. */
export const secrets: readonly Name[] = [
  'DATABASE_URL',
  'ACME_EAB_HMAC_KEY',
  'ACME_FALLBACK_EAB_HMAC_KEY',
  'DASHBOARD_KEYS',
  'DOMAINS_ENCRYPTION_KEYS',
  'DOMAINS_WEBHOOK_SECRET',
  'STORE_ORDERS_KEY',
]
/** No message shows the values of these, either. */
export const neverQuoted: readonly Name[] = [...secrets, 'API_KEYS', 'DOMAINS_WEBHOOK_URL']

export type ValueOf<N extends Name> = (typeof variables)[N] extends formats.Format<infer Value> ? Value : never
