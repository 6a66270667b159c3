// Makes what a user typed into a name that DNS may be asked for, or refuses it with a sentence that says why.
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { getDomain } from 'tldts'
import type { DomainName } from '../state/domain.ts'

const example = 'such as docs.example.com'
const ipRefusal = `An IP address cannot be used: enter a domain, ${example}.`

/** What is no domain by the way it is written; `$&` is the part that matched. */
const mistakes: readonly (readonly [RegExp, string])[] = [
  [/^$/, `Enter a domain, ${example}.`],
  [/^[a-z][a-z\d+.-]*:\/\//i, `Leave out $&: only the domain is needed, ${example}.`],
  [/\*/, `A wildcard cannot be used: enter one domain, ${example}.`],
  [/\s/, 'A domain has no spaces.'],
  [/[/:@?#%\\]/, `A domain has no "$&": enter only the domain, ${example}.`],
  [/(^|\.)(\d+|0x[\da-f]*)\.?$/i, ipRefusal], // browsers read 0x7f.1 and 1.2.3 as IPv4, and no top-level domain is a number
]

/** Not on the public Internet (RFC 6761, 6762, 7686, ICANN's .internal), or of no use there (.arpa), or used in private. */
const privateSuffixes = new Set(['local', 'localhost', 'internal', 'invalid', 'onion', 'arpa', 'lan', 'home', 'corp'])

/** A label of letters, digits and hyphens, RFC 1123 2.1. */
const ldhLabel = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

/**
 * @param reserved the platform's own hosts: they and all names below them are refused
 * @returns `refused` with a sentence for the user
 */
export function parseName(typed: string, reserved: readonly string[]): DomainName | { refused: string } {
  const text = typed.trim()
  const host = domainToASCII(text).replace(/\.$/, '')
  const refused = refusalOfText(text) ?? refusalOfHost(host, reserved)
  if (refused !== undefined) return { refused }
  // Companies' suffixes count: each name below github.io is of somebody else.
  const zone = getDomain(host, { allowPrivateDomains: true, extractHostname: false })
  if (zone === null) return { refused: `${host} is open to everyone's domains: enter your own one below it.` }
  if (zone === host) return { host, kind: 'apex', zone, label: '@' }
  return { host, kind: 'subdomain', zone, label: host.slice(0, -zone.length - 1) }
}

/** The name in its own script. */
export function displayName(host: string): string {
  return domainToUnicode(host)
}

function refusalOfText(text: string): string | undefined {
  if (isIP(text.replace(/^\[(.*)\]$/, '$1'))) return ipRefusal
  for (const [pattern, refusal] of mistakes) {
    const match = pattern.exec(text)
    if (match) return refusal.replace('$&', () => match[0])
  }
  return undefined
}

function refusalOfHost(host: string, reserved: readonly string[]): string | undefined {
  const labels = host.split('.')
  const suffix = labels.at(-1) as string
  if (isIP(host)) return ipRefusal // written in other digits
  if (host.length > 253) return 'A domain has at most 253 characters.'
  // What still begins with xn-- in its own script is no Punycode.
  if (!labels.every((label) => ldhLabel.test(label)) || /(^|\.)xn--/.test(displayName(host))) {
    return 'Each part between the dots must have 1 to 63 letters, digits or hyphens, and no hyphen at its ends.'
  }
  if (labels.length === 1) return `A domain has at least two parts with a dot between them, ${example}.`
  if (privateSuffixes.has(suffix)) return `No certificate can be issued for names that end in .${suffix}.`
  if (reserved.some((own) => host === own || host.endsWith(`.${own}`))) {
    return `${host} belongs to this platform: enter a domain of your own.`
  }
  return undefined
}
