// The only reader of the environment. Reports every problem at once.
import { isIP } from 'node:net'
import process from 'node:process'
import type { Servers } from './spec/document.ts'

export interface Config {
  host: string
  port: number
  apiKeys: { name: string; key: string }[]
  apiKeysFile: string | undefined
  ordersFile: string | undefined
  servers: Servers
  corsOrigins: string[]
  trustProxy: string[]
  logLevel: string
  isProduction: boolean
}

interface Variable<T> {
  name: string
  expected: string
  /** The value of a variable that is set, or undefined when it is not as expected. */
  parse(text: string): T | undefined
  isSecret?: true
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * An empty variable counts as unset.
 * @throws with a line for each variable that has a wrong value
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  function read<T>({ name, expected, parse, isSecret }: Variable<T>): T | undefined {
    const text = env[name]
    if (text === undefined || text === '') return undefined
    const value = parse(text)
    if (value === undefined) problems.push(`${name} must be ${expected}${isSecret ? '' : `, not "${text}"`}`)
    return value
  }
  const baseUrl = (name: string) =>
    read({ name, expected: 'an http or https address ending in /v1', parse: parseBaseUrl })

  const config = {
    host: env.HOST || '127.0.0.1',
    port: read({ name: 'PORT', expected: 'a port from 0 to 65535', parse: parsePort }) ?? 3000,
    apiKeys: read({ name: 'API_KEYS', expected: apiKeysForm, parse: parseApiKeys, isSecret: true }) ?? [],
    apiKeysFile: env.API_KEYS_FILE || undefined,
    ordersFile: env.ORDERS_FILE || undefined,
    servers: { production: baseUrl('BASE_URL'), staging: baseUrl('STAGING_BASE_URL') },
    corsOrigins: read({ name: 'CORS_ORIGINS', expected: originsForm, parse: parseOrigins }) ?? [],
    trustProxy: read({ name: 'TRUST_PROXY', expected: trustProxyForm, parse: parseAddresses }) ?? [],
    logLevel: read({ name: 'LOG_LEVEL', expected: `one of ${logLevels.join(', ')}`, parse: parseLogLevel }) ?? 'info',
    isProduction: env.NODE_ENV === 'production',
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return config
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined
}

const apiKeysForm =
  'name:key pairs with commas between them, a name of letters, digits, ".", "_" and "-", and a key of letters, digits and "-._~+/"'

/** What a bearer token may consist of: RFC 6750 2.1. */
function parseApiKeys(text: string): Config['apiKeys'] | undefined {
  const pairs = text.split(',').map((pair) => /^([\w.-]+):([\w.~+/-]+=*)$/.exec(pair.trim()))
  return pairs.every((pair) => pair !== null) ? pairs.map(([, name = '', key = '']) => ({ name, key })) : undefined
}

function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBase = url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1')
  return isBase && url.href === url.origin + url.pathname ? url.href : undefined // no query, fragment or password
}

const originsForm = 'origins like https://docs.example.com, with commas between them'

function parseOrigins(text: string): string[] | undefined {
  const origins = text.split(',').map((origin) => origin.trim())
  return origins.every((origin) => /^https?:/.test(origin) && originOf(origin) === origin) ? origins : undefined
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined
}

const trustProxyForm = 'addresses or networks like 10.0.0.0/8, with commas between them'

function parseAddresses(text: string): string[] | undefined {
  const addresses = text.split(',').map((address) => address.trim())
  return addresses.every(isAddress) ? addresses : undefined
}

function isAddress(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function parseLogLevel(text: string): string | undefined {
  return logLevels.includes(text) ? text : undefined
}
