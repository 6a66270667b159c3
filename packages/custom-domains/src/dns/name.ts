// Parses user input into a domain name that is safe to look up, or explains why it is invalid.
import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { getDomain, parse } from 'tldts'
import { hostOf, isWithin } from '../domain-name.ts'
import type { DomainName } from '../state/domain.ts'

const example = 'such as docs.example.com'
const ipAddress = `An IP address cannot be used: enter a domain, ${example}.`

/** Common errors; `$&` in the message is the part that matched. */
const errors: readonly (readonly [RegExp, string])[] = [
  [/^$/, `Enter a domain, ${example}.`],
  [/^[a-z][a-z\d+.-]*:\/\//i, `Leave out $&: enter only the domain, ${example}.`],
  [/\*/, `A wildcard cannot be used: enter one domain, ${example}.`],
  [/\s/, 'A domain cannot contain spaces.'],
  [/[!-,/:-@[-`{-~\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/u, `A domain cannot contain "$&": enter only the domain, ${example}.`],
  [/^\./, `A domain cannot start with a dot: enter only the domain, ${example}.`],
  [/\.\./, 'A domain cannot have two dots in a row.'],
  [/(^|\.)(\d+|0x[\da-f]*)\.?$/i, ipAddress], // browsers read 0x7f.1 and 1.2.3 as IPv4, and no top-level domain is numeric
]

/** Reserved (RFC 6761, 6762, 7686, ICANN's .internal), infrastructure (.arpa), or in private use. */
const privateSuffixes = new Set(['local', 'localhost', 'internal', 'invalid', 'onion', 'arpa', 'lan', 'home', 'corp'])

/** Reserved for tests and documentation (RFC 6761): no list of top-level domains has them. */
const testSuffixes = new Set(['test', 'example'])

/** A label of letters, digits and hyphens (RFC 1123, section 2.1). */
const ldhLabel = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

/**
 * @param reserved the platform's own hosts: they, their parents and all their subdomains are invalid
 * @returns `invalid` with a message for the user
 */
export function parseName(typed: string, reserved: readonly string[]): DomainName | { invalid: string } {
  const text = hostIn(typed.trim())
  const host = hostOf(text)
  const invalid = errorIn(text) ?? invalidityOf(host, reserved)
  if (invalid !== undefined) return { invalid }
  // The private section of the Public Suffix List counts: every name below github.io belongs to someone else.
  const zone = getDomain(host, { allowPrivateDomains: true, extractHostname: false })
  if (zone === null) return { invalid: `${host} is a public suffix: enter a domain of your own below it.` }
  if (zone === host) return { host, kind: 'apex', zone, label: '@' }
  return { host, kind: 'subdomain', zone, label: host.slice(0, -zone.length - 1) }
}

/** The name in Unicode. */
export function displayName(host: string): string {
  return domainToUnicode(host)
}

/** The host of a web address, which users paste, also without its scheme; any other text as it is. */
function hostIn(text: string): string {
  const url = /^[^/:@?#\s]+(:\d+)?([/?#]|(?<=:\d+)$)/.test(text) ? `https://${text}` : text
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).hostname : text
}

function errorIn(text: string): string | undefined {
  if (isIP(text.replace(/^\[(.*)\]$/, '$1'))) return ipAddress
  for (const [pattern, message] of errors) {
    const match = pattern.exec(text)
    if (match) return message.replace('$&', () => match[0])
  }
  return undefined
}

function invalidityOf(host: string, reserved: readonly string[]): string | undefined {
  const labels = host.split('.')
  const suffix = labels.at(-1) as string
  if (isIP(host)) return ipAddress // written in non-ASCII digits
  if (host.length > 253) return 'A domain can have at most 253 characters.'
  // A label that keeps its xn-- prefix when decoded is not valid Punycode.
  if (!labels.every((label) => ldhLabel.test(label)) || /(^|\.)xn--/.test(displayName(host))) {
    return 'Each part between the dots must have 1 to 63 letters, digits or hyphens, and cannot start or end with a hyphen.'
  }
  if (labels.length === 1) return `A domain has at least two parts separated by a dot, ${example}.`
  if (privateSuffixes.has(suffix)) return `Certificates cannot be issued for names that end in .${suffix}.`
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true, extractHostname: false })
  if (!isIcann && !isPrivate && !testSuffixes.has(suffix)) {
    return `There is no top-level domain .${displayName(suffix)}. Check the spelling: domains end in .com, .org, .io and the like.`
  }
  if (reserved.some((reservedHost) => isWithin(host, reservedHost))) {
    return `${host} belongs to this platform: enter a domain of your own.`
  }
  const child = reserved.find((reservedHost) => isWithin(reservedHost, host))
  if (child !== undefined) return `${host} contains this platform's own ${child}: enter another domain.`
  return undefined
}
