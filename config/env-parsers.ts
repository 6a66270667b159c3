// Formats of environment variables: a description and a parser for each.
import { isIP } from 'node:net'
import { parseDuration } from './duration.ts'

export interface Form<T> {
  /** Completes "must be ...". */
  expected: string
  /** The value of a variable that is set, or undefined if it is invalid. */
  parse(text: string): T | undefined
}

export const port: Form<number> = {
  expected: 'a port from 0 to 65535',
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined),
}

export const poolSize = wholeNumber(1, 1000)
export const seconds = wholeNumber(1, 300)
export const duration = wholeNumber(0, 63_072_000) // two years
export const delay = wholeNumber(0, 300)
export const milliseconds = wholeNumber(0, 9999)
export const domainLimit = wholeNumber(1, 1000)

function wholeNumber(least: number, most: number): Form<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    parse(text) {
      const value = Number(text)
      return /^\d{1,8}$/.test(text) && value >= least && value <= most ? value : undefined
    },
  }
}

export interface Rate {
  max: number
  seconds: number
}

export const rate: Form<Rate> = {
  expected: 'a number of requests and a duration of whole seconds, like 600/60s',
  parse(text) {
    const [, max, duration = ''] = /^([1-9]\d{0,8})\/(.+)$/.exec(text) ?? []
    const seconds = (parseDuration(duration) ?? 0) / 1000
    return max !== undefined && seconds > 0 ? { max: Number(max), seconds } : undefined
  },
}

export const rateOrOff: Form<Rate | 'off'> = {
  expected: `${rate.expected}, or off`,
  parse: (text) => (text === 'off' ? text : rate.parse(text)),
}

/** The characters of a bearer token (RFC 6750, section 2.1). */
export const keys: Form<{ name: string; key: string }[]> = {
  expected:
    'name:key pairs with commas between them, a name of letters, digits, ".", "_" and "-", and a key of letters, digits and "-._~+/"',
  parse: listOf((text) => {
    const [, name, key] = /^([\w.-]+):([\w.~+/-]+=*)$/.exec(text) ?? []
    return name && key ? { name, key } : undefined
  }),
}

const DASHBOARD_KEY_LENGTH = 32

export const dashboardKeys: Form<{ name: string; key: string }[]> = {
  expected: `${keys.expected}, of ${DASHBOARD_KEY_LENGTH} characters or more`,
  parse(text) {
    const named = keys.parse(text)
    return named?.every(({ key }) => key.length >= DASHBOARD_KEY_LENGTH) ? named : undefined
  },
}

export const encryptionKeys: Form<Buffer[]> = {
  expected: 'keys of 64 hexadecimal digits, with commas between them',
  parse: listOf((text) => (/^[\da-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined)),
}

export const baseUrl: Form<string> = {
  expected: 'an http or https address ending in /v1',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isBase = url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1')
    return isBase && url.href === url.origin + url.pathname ? url.href : undefined // no query, fragment or password
  },
}

export const origins: Form<string[]> = {
  expected: 'origins like https://docs.example.com, with commas between them',
  parse: listOf((text) => (/^https?:/.test(text) && originOf(text) === text ? text : undefined)),
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined
}

export const networks: Form<string[]> = {
  expected: 'addresses or networks like 10.0.0.0/8, with commas between them',
  parse: listOf((text) => (isNetwork(text) ? text : undefined)),
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export const flag: Form<boolean> = {
  expected: 'true or false',
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
}

export const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
/** Those of OpenTelemetry's specification. */
export const sampler = oneOf(
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
)
export type SamplerName = typeof sampler extends Form<infer Name> ? Name : never
export const tracesExporter = oneOf('otlp', 'none')
/** The collectors that take one take the other at the same address; the server sends JSON. */
export const otlpProtocol = oneOf('http/json', 'http/protobuf')
export const exportDelay = wholeNumber(1, 60_000)
export const ratio: Form<number> = {
  expected: 'a number from 0 to 1',
  parse: (text) => (/^(0|1|0?\.\d+|1\.0+)$/.test(text) ? Number(text) : undefined),
}

export const plan = oneOf('free', 'pro', 'enterprise')

export const domain: Form<string> = {
  expected: 'a domain like docs.example.com',
  parse: (text) =>
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/i.test(text) ? text.toLowerCase() : undefined,
}

export const email: Form<string> = {
  expected: 'an email address',
  parse: (text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined),
}

export const token: Form<string> = {
  expected: 'a name of letters, digits, ".", "_" and "-"',
  parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
}

export const base64url: Form<string> = {
  expected: 'base64url text, as the certificate authority shows it',
  parse: (text) => (/^[\w-]+=*$/.test(text) ? text : undefined),
}

export const httpsUrl: Form<string> = {
  expected: 'an https address',
  parse: (text) => (URL.canParse(text) && new URL(text).protocol === 'https:' ? text : undefined),
}

export const webhookUrl: Form<string> = {
  expected: 'an https address without a password, or an http address on loopback',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isLoopback = url && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
    const isAllowed = url?.protocol === 'https:' || (isLoopback && url.protocol === 'http:')
    return url && isAllowed && url.username === '' && url.password === '' ? url.href : undefined
  },
}

/** The bounds of the Standard Webhooks specification. */
const [SHORTEST_SECRET, LONGEST_SECRET] = [24, 64]

export const webhookSecrets: Form<Buffer[]> = {
  expected: `secrets like whsec_..., ${SHORTEST_SECRET} to ${LONGEST_SECRET} bytes in base64, with commas between them`,
  parse: listOf((text) => {
    const [, base64 = ''] = /^whsec_([\w+/-]+=*)$/.exec(text) ?? []
    const secret = Buffer.from(base64, 'base64')
    return secret.length >= SHORTEST_SECRET && secret.length <= LONGEST_SECRET ? secret : undefined
  }),
}

export const dnsServers: Form<string[]> = {
  expected: 'addresses like 9.9.9.9, 127.0.0.1:5353 or [::1]:5353, with commas between them',
  parse: listOf((text) => {
    const [, bracketed, plain, digits = '53'] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? []
    const port = Number(digits) // Node ends the whole process for port 0
    return isIP(bracketed ?? plain ?? text) && port > 0 && port <= 65535 ? text : undefined
  }),
}

function oneOf<const Value extends string>(...values: Value[]): Form<Value> {
  return { expected: `one of ${values.join(', ')}`, parse: (text) => values.find((value) => value === text) }
}

function listOf<T>(parse: (text: string) => T | undefined): (text: string) => T[] | undefined {
  return (text) => {
    const values = text.split(',').map((part) => parse(part.trim()))
    return values.every((value) => value !== undefined) ? values : undefined
  }
}
