// Checks CAA records (RFC 8659): may the certificate authority issue for a domain?
import type { Problem } from '../state/domain.ts'
import { type AuthorityOptions, dnsAuthority } from './authority.ts'
import type { CaaProperty, Found } from './resolver.ts'

export interface CaaChecker {
  /** @param identities the authority's names in CAA records; with none, nothing is checked */
  check(host: string, identities: readonly string[], signal: AbortSignal): Promise<Problem | undefined>
}

const CRITICAL = 128

/** The tags that authorities understand: those of RFC 8659, and issuemail of RFC 9495. */
const knownTags = new Set(['issue', 'issuewild', 'iodef', 'issuemail'])

export function caaChecker(options: AuthorityOptions): CaaChecker {
  const authority = dnsAuthority(options)
  return {
    async check(host, identities, signal) {
      const [identity] = identities
      if (identity === undefined) return undefined
      const lookup = await authority.any(host, signal)
      for (const level of levelsOf(host)) {
        const records = await lookup(level, 'CAA').catch(() => undefined)
        signal.throwIfAborted()
        if (!records) return { code: 'caa_unreachable', level }
        if (records.length === 0) continue
        const { found, isFixable } = blocking(records.map(propertyOf), identities)
        if (found.length === 0) return undefined
        const { owner } = records[0] as Found<'CAA'>
        const expected = isFixable ? `${owner}. CAA 0 issue "${identity}"` : ''
        return { code: 'caa_blocks', level: owner, found: found.map(format), expected }
      }
      return undefined
    },
  }
}

/** The host and all its parents (RFC 8659, section 3): only the nearest record set counts. */
function levelsOf(host: string): string[] {
  return host.split('.').map((_, index, labels) => labels.slice(index).join('.'))
}

/** The properties that block (RFC 8659, section 4), and whether an additional record would allow the certificate. */
function blocking(
  properties: CaaProperty[],
  identities: readonly string[],
): { found: CaaProperty[]; isFixable: boolean } {
  const unknown = properties.filter(({ flags, tag }) => flags & CRITICAL && !knownTags.has(tag))
  if (unknown.length > 0) return { found: unknown, isFixable: false }
  const issue = properties.filter(({ tag }) => tag === 'issue') // issuewild applies to wildcards only
  return { found: issue.some(({ value }) => allows(value, identities)) ? [] : issue, isFixable: true }
}

/** `ca.example; validationmethods=http-01,dns-01` (RFC 8659, section 4.2; RFC 8657, section 4). The CA checks `accounturi`. */
function allows(value: string, identities: readonly string[]): boolean {
  const issuer = value.replace(/;.*/s, '').trim().toLowerCase()
  const methods = /;\s*validationmethods\s*=\s*([\w,-]*)/i.exec(value)?.[1]
  const isMethodAllowed = methods === undefined || methods.split(',').includes('http-01')
  return isMethodAllowed && identities.some((identity) => identity.toLowerCase() === issuer)
}

function propertyOf({ data: { flags, tag, value } }: Found<'CAA'>): CaaProperty {
  return { flags, tag: tag.toLowerCase(), value }
}

function format({ flags, tag, value }: CaaProperty): string {
  return `${flags} ${tag} "${value}"`
}
