// Whether a domain's owner lets the certificate authority issue for it: CAA records, RFC 8659.
import type { CaaRecord } from 'node:dns'
import type { Problem } from '../state/domain.ts'
import { dnsLookup, type ResolverOptions } from './resolver.ts'

export interface CaaChecker {
  /** @param identities the names of the authority in CAA records; with none there is nothing to check */
  check(host: string, identities: readonly string[]): Promise<Problem | undefined>
}

interface Property {
  flags: number
  tag: string
  value: string
}

const CRITICAL = 128

/** Tags that authorities know: of RFC 8659, and issuemail of RFC 9495. */
const knownTags = new Set(['issue', 'issuewild', 'iodef', 'issuemail'])

export function caaChecker(options: ResolverOptions): CaaChecker {
  const lookup = dnsLookup(options)
  return {
    async check(host, identities) {
      const [identity] = identities
      if (identity === undefined) return undefined
      for (const level of levelsOf(host)) {
        const records = await lookup(level, 'CAA').catch(() => undefined)
        if (!records) return { code: 'caa_unreachable', level }
        if (records.length === 0) continue
        const { found, isMended } = blocking(records.map(propertyOf), identities)
        if (found.length === 0) return undefined
        // Beside a CNAME no CAA record can stand: those that count are the alias's.
        const [owner = level] = await lookup(level, 'CNAME').catch(() => [])
        const expected = isMended ? `${owner}. CAA 0 issue "${identity}"` : ''
        return { code: 'caa_blocks', level: owner, found: found.map(format), expected }
      }
      return undefined
    },
  }
}

/** The host and all above it, RFC 8659 3: the nearest set counts, and only that. */
function levelsOf(host: string): string[] {
  return host.split('.').map((_, index, labels) => labels.slice(index).join('.'))
}

/** The properties that block, RFC 8659 4, and whether one more record would mend it. */
function blocking(properties: Property[], identities: readonly string[]): { found: Property[]; isMended: boolean } {
  const notUnderstood = properties.filter(({ flags, tag }) => flags & CRITICAL && !knownTags.has(tag))
  if (notUnderstood.length > 0) return { found: notUnderstood, isMended: false }
  const issue = properties.filter(({ tag }) => tag === 'issue') // issuewild is for wildcards alone
  return { found: issue.some(({ value }) => allows(value, identities)) ? [] : issue, isMended: true }
}

/** `ca.example; validationmethods=http-01,dns-01`: RFC 8659 4.2, RFC 8657 4. Whose account it must be, the CA checks. */
function allows(value: string, identities: readonly string[]): boolean {
  const issuer = value.replace(/;.*/s, '').trim().toLowerCase()
  const methods = /;\s*validationmethods\s*=\s*([\w,-]*)/i.exec(value)?.[1]
  const isMethodAllowed = methods === undefined || methods.split(',').includes('http-01')
  return isMethodAllowed && identities.some((identity) => identity.toLowerCase() === issuer)
}

/** node:dns has the tag as a key, in the case of the record, beside the flags (`critical`) and, from Node 24 on, `type`. */
function propertyOf({ critical: flags, type, ...rest }: CaaRecord & { type?: string }): Property {
  return { flags, tag: Object.keys(rest).join('').toLowerCase(), value: Object.values(rest).join('') }
}

function format({ flags, tag, value }: Property): string {
  return `${flags} ${tag} "${value}"`
}
