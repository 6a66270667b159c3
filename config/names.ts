// The names of all variables, to recognize misspelled ones.

const names = new Set(
  `
  HOST PORT API_KEYS API_KEYS_FILE DATABASE_URL DATABASE_POOL_SIZE DATABASE_TIMEOUT ORDERS_FILE
  BASE_URL STAGING_BASE_URL CORS_ORIGINS TRUST_PROXY LOG_LEVEL SHUTDOWN_DELAY METRICS_PORT METRICS_HOST
  RATE_LIMIT AUTH_FAILURE_LIMIT MAX_EVENT_LOOP_DELAY CHECK_RESPONSES
  PLATFORM_DOMAIN PLATFORM_CNAME_TARGET ACME_EMAIL ACME_DIRECTORY_URL ACME_PROFILE ACME_EAB_KEY_ID ACME_EAB_HMAC_KEY
  ACME_FALLBACK_DIRECTORY_URL ACME_FALLBACK_PROFILE ACME_FALLBACK_EAB_KEY_ID ACME_FALLBACK_EAB_HMAC_KEY
  DASHBOARD_KEYS HTTP_PORT HTTPS_PORT DATA_DIR DOMAINS_FILE DOMAINS_ENCRYPTION_KEYS DOMAINS_SERVE_API DOMAINS_MAX
  DOMAINS_HSTS DOMAINS_WEBHOOK_URL DOMAINS_WEBHOOK_SECRET DNS_SERVERS PLAN STORE_ORDERS_URL STORE_ORDERS_KEY
  OTEL_SDK_DISABLED OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS
  OTEL_EXPORTER_OTLP_TRACES_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_TRACES_EXPORTER OTEL_SERVICE_NAME
  OTEL_TRACES_SAMPLER OTEL_TRACES_SAMPLER_ARG OTEL_BSP_SCHEDULE_DELAY
  `
    .trim()
    .split(/\s+/),
)

const byLetters = new Map([...names].map((name) => [lettersOf(name), name]))

/** One for each variable whose name differs from a known one only by case, underscores or a plural. */
export function nameWarnings(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap((name) => {
    if (names.has(name)) return []
    const upper = name.toUpperCase()
    const meant = names.has(upper) ? upper : byLetters.get(lettersOf(upper))
    return meant ? [`${name} has no effect; did you mean ${meant}?`] : []
  })
}

function lettersOf(name: string): string {
  return name.replace(/S?(_|$)/g, '')
}
