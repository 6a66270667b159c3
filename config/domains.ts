// The configuration of custom domains.
import type { CustomDomainsOptions, Receiver } from 'custom-domains'
import { proxyEnvOf } from './proxies.ts'
import type { Reader } from './variables/reader.ts'

type Authorities = CustomDomainsOptions['authorities']

export type DomainsConfig = NonNullable<ReturnType<typeof domainsOf>>

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
export function domainsOf(reader: Reader) {
  const { read, needed, isSet } = reader
  if (!domainsVariables.some(isSet)) return undefined
  return {
    engine: {
      platform: needed('PLATFORM_DOMAIN'),
      target: needed('PLATFORM_CNAME_TARGET'),
      authorities: authoritiesOf(reader),
      limit: read('DOMAINS_MAX') ?? 100,
      dnsServers: read('DNS_SERVERS') ?? [],
      hstsSeconds: Math.floor((read('DOMAINS_HSTS') ?? 0) / 1000),
      webhook: webhookOf(reader),
      proxyEnv: proxyEnvOf(reader.env),
    },
    plan: read('PLAN') ?? 'pro',
    ports: { http: read('HTTP_PORT') ?? 80, https: read('HTTPS_PORT') ?? 443 },
    dataDir: read('DATA_DIR') ?? 'data',
    /** If there are any, the domains are in the database. */
    encryptionKeys: encryptionKeysOf(reader),
    configurationFile: read('DOMAINS_FILE'),
    /** Whether the ports of the domains serve the API, too, over TLS. */
    isApiAtDomains: read('DOMAINS_SERVE_API') ?? false,
    keys: read('DASHBOARD_KEYS') ?? [],
  }
}

function authoritiesOf({ read, needed, isSet, reject }: Reader): Authorities {
  const email = needed('ACME_EMAIL')
  const named = (prefix: 'ACME' | 'ACME_FALLBACK', otherwise?: string): Authorities[0] | undefined => {
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
  const first = { ...(named('ACME', letsEncrypt) as Authorities[0]), orderLimit: read('ACME_ORDER_LIMIT') ?? 300 }
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

export function webhookOf({ read, isSet, reject }: Reader): Receiver | undefined {
  const url = read('DOMAINS_WEBHOOK_URL')
  const secrets = read('DOMAINS_WEBHOOK_SECRET')
  if (url && secrets) return { url, secrets }
  if (url && !isSet('DOMAINS_WEBHOOK_SECRET')) reject('DOMAINS_WEBHOOK_SECRET', 'must be set: it signs the messages')
  return undefined
}
