// The configuration of custom domains.
import type { NamedKey } from './keys/key-set.ts'
import { type ProxyEnv, proxyEnvOf } from './proxies.ts'
import type { Reader } from './reader.ts'

export interface AcmeConfig {
  directoryUrl: string
  email: string
  profile: string | undefined
  externalAccount: { kid: string; hmacKey: string } | undefined
  /** How many orders it accepts in three hours. */
  orderLimit?: number | undefined
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
  /** Undefined if authorities and the webhook are called directly. */
  proxyEnv: ProxyEnv | undefined
}

export interface WebhookConfig {
  url: string
  /** Each signs every message. */
  secrets: Buffer[]
}

/** Each of these enables custom domains. */
const domainsVariables = [
  'PLATFORM_DOMAIN',
  'PLATFORM_CNAME_TARGET',
  'ACME_EMAIL',
  'DASHBOARD_KEYS',
  'DOMAINS_FILE',
] as const

export const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'

/** Undefined if custom domains are not configured. */
export function domainsOf(reader: Reader): DomainsConfig | undefined {
  const { read, needed, isSet } = reader
  if (!domainsVariables.some(isSet)) return undefined
  return {
    platform: {
      domain: needed('PLATFORM_DOMAIN'),
      cnameTarget: needed('PLATFORM_CNAME_TARGET'),
    },
    plan: read('PLAN') ?? 'pro',
    authorities: authoritiesOf(reader),
    ports: { http: read('HTTP_PORT') ?? 80, https: read('HTTPS_PORT') ?? 443 },
    limit: read('DOMAINS_MAX') ?? 100,
    dataDir: read('DATA_DIR') ?? 'data',
    encryptionKeys: encryptionKeysOf(reader),
    configurationFile: read('DOMAINS_FILE'),
    dnsServers: read('DNS_SERVERS') ?? [],
    isApiAtDomains: read('DOMAINS_SERVE_API') ?? false,
    hstsSeconds: read('DOMAINS_HSTS') ?? 0,
    keys: read('DASHBOARD_KEYS') ?? [],
    webhook: webhookOf(reader),
    proxyEnv: proxyEnvOf(reader.env),
  }
}

function authoritiesOf({ read, needed, isSet, reject }: Reader): DomainsConfig['authorities'] {
  const email = needed('ACME_EMAIL')
  const named = (prefix: 'ACME' | 'ACME_FALLBACK', otherwise?: string): AcmeConfig | undefined => {
    const url = `${prefix}_DIRECTORY_URL` as const
    const directoryUrl = read(url) ?? otherwise
    const profile = read(`${prefix}_PROFILE`)
    const [keyId, hmac] = [`${prefix}_EAB_KEY_ID`, `${prefix}_EAB_HMAC_KEY`] as const
    const [kid, hmacKey] = [read(keyId), read(hmac)]
    if (isSet(keyId) !== isSet(hmac)) reject(kid ? hmac : keyId, 'is missing: an external account has both')
    const externalAccount = kid && hmacKey ? { kid, hmacKey } : undefined
    if (directoryUrl) return { directoryUrl, email, profile, externalAccount }
    if (profile || kid) reject(url, 'is missing: it names the authority')
    return undefined
  }
  const first = { ...(named('ACME', letsEncrypt) as AcmeConfig), orderLimit: read('ACME_ORDER_LIMIT') ?? 300 }
  const fallback = named('ACME_FALLBACK')
  if (fallback?.directoryUrl === first.directoryUrl)
    reject('ACME_FALLBACK_DIRECTORY_URL', 'must name another authority than ACME_DIRECTORY_URL')
  return [first, ...(fallback ? [fallback] : [])]
}

function encryptionKeysOf({ read, isSet, reject }: Reader): Buffer[] {
  const keys = read('DOMAINS_ENCRYPTION_KEYS') ?? []
  if (keys.length > 0 && !isSet('DATABASE_URL'))
    reject('DOMAINS_ENCRYPTION_KEYS', 'is for domains in PostgreSQL: set DATABASE_URL')
  if (keys.length > 0 && isSet('DOMAINS_FILE'))
    reject('DOMAINS_FILE', 'must be empty where DOMAINS_ENCRYPTION_KEYS is set')
  return keys
}

export function webhookOf({ read, isSet, reject }: Reader): WebhookConfig | undefined {
  const url = read('DOMAINS_WEBHOOK_URL')
  const secrets = read('DOMAINS_WEBHOOK_SECRET')
  if (url && secrets) return { url, secrets }
  if (url && !isSet('DOMAINS_WEBHOOK_SECRET')) reject('DOMAINS_WEBHOOK_SECRET', 'must be set: it signs the messages')
  return undefined
}
