// Checks CAA records (RFC 8659): may the certificate authority issue for a domain?
import type { Problem } from '../state/domain.ts'
import { type AuthorityOptions, dnsAuthority } from './authority.ts'
import { dnsQuery } from './query.ts'
import { type CaaProperty, canonical, type Found, type Lookup } from './resolver.ts'

/** A certificate authority as CAA records name it. */
export interface CaaIssuer {
  /** Its names; with none, nothing is checked. */
  identities: readonly string[]
  /** The URI of the account that orders; undefined before there is one, and then `accounturi` is not checked. */
  account?: string | undefined
}

export interface CaaChecker {
  check(host: string, issuer: CaaIssuer, signal: AbortSignal): Promise<Problem | undefined>
}

const MOST_RECORDS = 10
const CRITICAL = 128

/** The tags that authorities understand: those of RFC 8659, and issuemail of RFC 9495. */
const knownTags = new Set(['issue', 'issuewild', 'iodef', 'issuemail'])

export function caaChecker(options: AuthorityOptions): CaaChecker {
  const authority = dnsAuthority(options)
  const query = dnsQuery(options)
  return {
    async check(host, issuer, signal) {
      if (issuer.identities.length === 0) return undefined
      const lookup = await authority.any(host, signal)
      for (const level of levelsOf(host)) {
        // Authorities validate signatures: if the resolver does so, too, it must not reject these.
        const [records] = await Promise.all([lookup(level, 'CAA'), query(level, 'CAA', signal)]).catch(() => [])
        signal.throwIfAborted()
        if (!records) return { code: 'caa_unreachable', level: await failingName(level, lookup) }
        if (records.length === 0) continue
        const { found: blockingRecords, isFixable } = blocking(records.map(propertyOf), issuer)
        if (blockingRecords.length === 0) return undefined
        const { owner } = records[0] as Found<'CAA'>
        const expected = isFixable ? `${owner}. CAA 0 issue "${allowing(blockingRecords, issuer)}"` : ''
        const alias = owner === level ? {} : { alias: level }
        return {
          code: 'caa_blocks',
          level: owner,
          ...alias,
          found: blockingRecords.slice(0, MOST_RECORDS).map(format),
          expected,
        }
      }
      return undefined
    },
  }
}

/** The name behind an alias, if it is that one whose lookup fails. */
async function failingName(level: string, lookup: Lookup): Promise<string> {
  const [alias] = await lookup(level, 'CNAME').catch(() => [])
  if (!alias) return level
  const target = canonical(alias.data)
  return lookup(target, 'CAA').then(
    () => level,
    () => target,
  )
}

/** The host and all its parents (RFC 8659, section 3): only the nearest record set counts. */
function levelsOf(host: string): string[] {
  return host.split('.').map((_, index, labels) => labels.slice(index).join('.'))
}

/** The properties that block (RFC 8659, section 4), and whether an additional record would allow the certificate. */
function blocking(properties: CaaProperty[], issuer: CaaIssuer): { found: CaaProperty[]; isFixable: boolean } {
  const unknown = properties.filter(({ flags, tag }) => flags & CRITICAL && !knownTags.has(tag))
  if (unknown.length > 0) return { found: unknown, isFixable: false }
  const issue = properties.filter(({ tag }) => tag === 'issue') // issuewild applies to wildcards only
  return { found: issue.some(({ value }) => allows(value, issuer)) ? [] : issue, isFixable: true }
}

/** `ca.example; validationmethods=http-01,dns-01` (RFC 8659, section 4.2; RFC 8657, sections 3 and 4). */
function allows(value: string, { identities, account }: CaaIssuer): boolean {
  const [name = '', ...parameters] = value.split(';').map((part) => part.trim())
  const valuesOf = (tag: string) =>
    parameters.flatMap((parameter) => {
      const [name, ...rest] = parameter.split('=')
      return name?.trim().toLowerCase() === tag ? [rest.join('=').trim()] : []
    })
  return (
    identities.some((identity) => identity.toLowerCase() === name.toLowerCase()) &&
    valuesOf('validationmethods').every((methods) => methods.split(',').includes('http-01')) &&
    valuesOf('accounturi').every((uri) => account === undefined || uri === account)
  )
}

/** The value of a record that allows the certificate, bound to the account if the present ones are bound to one. */
function allowing(properties: readonly CaaProperty[], { identities: [identity], account }: CaaIssuer): string {
  const isBound = account !== undefined && properties.some(({ value }) => /;\s*accounturi\s*=/i.test(value))
  return isBound ? `${identity}; accounturi=${account}` : String(identity)
}

function propertyOf({ data: { flags, tag, value } }: Found<'CAA'>): CaaProperty {
  return { flags, tag: tag.toLowerCase(), value }
}

function format({ flags, tag, value }: CaaProperty): string {
  return `${flags} ${tag} "${value}"`
}
