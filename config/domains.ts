// The configuration of custom domains.
import * as formats from './domain-formats.ts'
import { flag, port } from './formats.ts'
import type { NamedKey } from './keys/key-set.ts'
import type { Reader } from './reader.ts'

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
  /** The maximum number of domains. */
  limit: number
  dataDir: string
  /** If there are any, the domains are in the database. */
  encryptionKeys: Buffer[]
  configurationFile: string | undefined
  dnsServers: string[]
  /** At the ports of the domains, over TLS. */
  isApiAtDomains: boolean
  /** The max-age of Strict-Transport-Security; 0 for none. */
  hstsSeconds: number
  keys: NamedKey[]
  webhook: WebhookConfig | undefined
}

export interface WebhookConfig {
  url: string
  /** Each signs every message. */
  secrets: Buffer[]
}

/** Each of these enables custom domains. */
const domainsVariables = ['PLATFORM_DOMAIN', 'PLATFORM_CNAME_TARGET', 'ACME_EMAIL', 'DASHBOARD_KEYS', 'DOMAINS_FILE']

export const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

/** Undefined if custom domains are not configured. */
export function domainsOf(reader: Reader): DomainsConfig | undefined {
  const { env, read, needed } = reader
  if (!domainsVariables.some((name) => env[name])) return undefined
  return {
    platform: {
      domain: needed('PLATFORM_DOMAIN', formats.domain),
      cnameTarget: needed('PLATFORM_CNAME_TARGET', formats.domain),
    },
    plan: read('PLAN', formats.plan) ?? 'pro',
    authorities: authoritiesOf(reader),
    ports: { http: read('HTTP_PORT', port) ?? 80, https: read('HTTPS_PORT', port) ?? 443 },
    limit: read('DOMAINS_MAX', formats.domainLimit) ?? 100,
    dataDir: env.DATA_DIR || 'data',
    encryptionKeys: encryptionKeysOf(reader),
    configurationFile: env.DOMAINS_FILE || undefined,
    dnsServers: read('DNS_SERVERS', formats.dnsServers) ?? [],
    isApiAtDomains: read('DOMAINS_SERVE_API', flag) ?? false,
    hstsSeconds: read('DOMAINS_HSTS', formats.maxAge) ?? 0,
    keys: read('DASHBOARD_KEYS', formats.dashboardKeys) ?? [],
    webhook: webhookOf(reader),
  }
}

function authoritiesOf({ env, read, needed, reject }: Reader): DomainsConfig['authorities'] {
  const email = needed('ACME_EMAIL', formats.email)
  const named = (prefix: string, otherwise?: string): AcmeConfig | undefined => {
    const directoryUrl = read(`${prefix}_DIRECTORY_URL`, formats.httpsUrl) ?? otherwise
    const profile = read(`${prefix}_PROFILE`, formats.token)
    const [keyId, hmac] = [`${prefix}_EAB_KEY_ID`, `${prefix}_EAB_HMAC_KEY`]
    const [kid, hmacKey] = [env[keyId], read(hmac, formats.base64url)]
    if (Boolean(kid) !== Boolean(env[hmac])) reject(kid ? hmac : keyId, 'is missing: an external account has both')
    const externalAccount = kid && hmacKey ? { kid, hmacKey } : undefined
    if (directoryUrl) return { directoryUrl, email, profile, externalAccount }
    if (profile || kid) reject(`${prefix}_DIRECTORY_URL`, 'is missing: it names the authority')
    return undefined
  }
  const first = named('ACME', letsEncrypt) as AcmeConfig
  const fallback = named('ACME_FALLBACK')
  if (fallback?.directoryUrl === first.directoryUrl)
    reject('ACME_FALLBACK_DIRECTORY_URL', 'must name another authority than ACME_DIRECTORY_URL')
  return [first, ...(fallback ? [fallback] : [])]
}

function encryptionKeysOf({ env, read, reject }: Reader): Buffer[] {
  const keys = read('DOMAINS_ENCRYPTION_KEYS', formats.encryptionKeys) ?? []
  if (keys.length > 0 && !env.DATABASE_URL)
    reject('DOMAINS_ENCRYPTION_KEYS', 'is for domains in PostgreSQL: set DATABASE_URL')
  if (keys.length > 0 && env.DOMAINS_FILE) reject('DOMAINS_FILE', 'must be empty where DOMAINS_ENCRYPTION_KEYS is set')
  return keys
}

export function webhookOf({ env, read, reject }: Reader): WebhookConfig | undefined {
  const url = read('DOMAINS_WEBHOOK_URL', formats.webhookUrl)
  const secrets = read('DOMAINS_WEBHOOK_SECRET', formats.webhookSecrets)
  if (url && secrets) return { url, secrets }
  if (url && !env.DOMAINS_WEBHOOK_SECRET) reject('DOMAINS_WEBHOOK_SECRET', 'must be set: it signs the messages')
  return undefined
}
