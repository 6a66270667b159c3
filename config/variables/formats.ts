// Formats of environment variables: what a value must be, and how to parse it.
import { isIP } from 'node:net'
import type { Rate } from 'http-edge'
import { parseDuration, units } from './duration.ts'

export interface Format<T> {
  /** Completes "must be ...". */
  expected: string
  /** The value of a variable that is set, or undefined if it is invalid. */
  parse(text: string): T | undefined
}

/** Text that passes a test, as it is. */
export function matching(expected: string, isValid: (text: string) => boolean): Format<string> {
  return { expected, parse: (text) => (isValid(text) ? text : undefined) }
}

export const text = matching(
  'text without control characters, such as a carriage return',
  (text) => !/\p{Cc}/u.test(text),
)

export const host = matching('an IP address or a host name', (text) => isIP(text) !== 0 || isHostName(text))

/** The last label has a letter, so 999.1.1.1 is invalid. */
function isHostName(text: string): boolean {
  return /^([a-z\d-]+\.)*[\d-]*[a-z][a-z\d-]*\.?$/i.test(text)
}

export const port: Format<number> = {
  expected: 'a port from 0 to 65535',
  parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined),
}

/** The value is in milliseconds. The bounds are in `unit`, as is a number without a unit. */
export function duration(unit: 's' | 'ms', least: number, most: number): Format<number> {
  return {
    expected: `a duration from ${least}${unit} to ${most}${unit}, like 5s`,
    parse(text) {
      const value = /^\d{1,8}$/.test(text) ? Number(text) * units[unit] : (parseDuration(text) ?? -1)
      return value >= least * units[unit] && value <= most * units[unit] ? value : undefined
    },
  }
}

export function wholeNumber(least: number, most: number): Format<number> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    parse(text) {
      const value = Number(text)
      return /^\d{1,8}$/.test(text) && value >= least && value <= most ? value : undefined
    },
  }
}

export const share: Format<number> = {
  expected: 'a number above 0, up to 1',
  parse: (text) => (/^(0?\.\d+|1(\.0+)?)$/.test(text) && Number(text) > 0 ? Number(text) : undefined),
}

export const rate: Format<Rate> = {
  expected: 'a number of requests and a duration of whole seconds, like 600/60s',
  parse(text) {
    const [, max, duration = ''] = /^([1-9]\d{0,8})\/(.+)$/.exec(text) ?? []
    const seconds = (parseDuration(duration) ?? 0) / 1000
    return max !== undefined && seconds > 0 && Number.isInteger(seconds) ? { max: Number(max), seconds } : undefined
  },
}

export const rateOrOff: Format<Rate | 'off'> = {
  expected: `${rate.expected}, or off`,
  parse: (text) => (text === 'off' ? text : rate.parse(text)),
}

/** The characters of a bearer token (RFC 6750, section 2.1). */
export const keys: Format<{ name: string; key: string }[]> = {
  expected:
    'comma-separated name:key pairs, a name of letters, digits, ".", "_" and "-", and a key of letters, digits and "-._~+/"',
  parse: listOf((text) => {
    const [, name, key] = /^([\w.-]+):([\w.~+/-]+=*)$/.exec(text) ?? []
    return name && key ? { name, key } : undefined
  }),
}

export const baseUrl: Format<string> = {
  expected: 'an http or https address ending in /v1',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const isBase = url && /^https?:$/.test(url.protocol) && url.pathname.endsWith('/v1')
    return isBase && url.href === url.origin + url.pathname ? url.href : undefined // no query, fragment or password
  },
}

/** Like the client, with or without a final slash. */
export const apiUrl: Format<string> = { ...baseUrl, parse: (text) => baseUrl.parse(text.replace(/\/$/, '')) }

export const origins: Format<string[]> = {
  expected: 'comma-separated origins like https://docs.example.com',
  parse: listOf((text) => (/^https?:/.test(text) && originOf(text) === text ? text : undefined)),
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined
}

export const networks: Format<string[]> = {
  expected: 'comma-separated addresses or networks like 10.0.0.0/8',
  parse: listOf((text) => (isNetwork(text) ? text : undefined)),
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export const flag: Format<boolean> = {
  expected: 'true, false, 1 or 0',
  parse: (text) => (/^(true|1)$/.test(text) ? true : /^(false|0)$/.test(text) ? false : undefined),
}

export function oneOf<const Value extends string>(...values: Value[]): Format<Value> {
  return { expected: `one of ${values.join(', ')}`, parse: (text) => values.find((value) => value === text) }
}

export function listOf<T>(parse: (text: string) => T | undefined): (text: string) => T[] | undefined {
  return (text) => {
    const values = text.split(',').map((part) => parse(part.trim()))
    return values.every((value) => value !== undefined) ? values : undefined
  }
}
