// Verifies that a domain's records point to the platform. It queries DNS only: no request is ever sent to the host itself.
import type { DnsRecord, DomainName, Problem } from '../state/domain.ts'
import { LookupError, type ResolverOptions } from './query.ts'
import { canonical, dnsLookup, type Lookup } from './resolver.ts'

export interface DnsVerifier {
  /** @param target the platform's CNAME target */
  verify(name: DomainName, target: string): Promise<Problem | undefined>
}

/** A target with many addresses returns some of them at a time. */
const TARGET_TRIES = 5
const TARGET_MEMORY_MS = 24 * 3_600_000

export function dnsVerifier(options: ResolverOptions): DnsVerifier {
  const lookup = dnsLookup(options)
  const targets = new Map<string, Map<string, number>>()

  /** The addresses that the target has had within a day. */
  async function addressesOfTarget(target: string): Promise<Set<string>> {
    const seen = targets.get(target) ?? new Map<string, number>()
    const now = Date.now()
    for (const { value } of await addressesOf(target, lookup)) seen.set(value, now)
    for (const [value, time] of seen) if (time <= now - TARGET_MEMORY_MS) seen.delete(value)
    targets.set(target, seen)
    return new Set(seen.keys())
  }

  async function foreignTo(target: string, addresses: Owned[]): Promise<Owned[]> {
    let foreign = addresses
    for (let tries = 0; foreign.length > 0 && tries < TARGET_TRIES; tries++) {
      const expected = await addressesOfTarget(target)
      foreign = foreign.filter(({ value }) => !expected.has(value))
    }
    return foreign
  }

  async function problemOf({ host, kind, zone }: DomainName, target: string): Promise<Problem | undefined> {
    // Only the first hop counts: whoever owns a name in between could take over the domain.
    const [alias] = kind === 'subdomain' ? await lookup(host, 'CNAME') : []
    const cname = alias?.data
    if (cname !== undefined && canonical(cname) !== canonical(target)) {
      const isZoneAppended = canonical(cname) === `${canonical(target)}.${zone}`
      return { code: 'cname_mismatch', found: cname, expected: target, isZoneAppended }
    }
    if ((await addressesOfTarget(target)).size === 0) return { code: 'target_unresolvable', target }

    const addresses = await addressesOf(host, lookup)
    const own = addresses.filter(({ owner }) => cname === undefined || owner === host) // others are the target's
    const pointsHere = kind === 'apex' || cname !== undefined
    const found = pointsHere ? await foreignTo(target, own) : [...own, ...(await othersOf(host, lookup))]
    if (found.length > 0)
      return { code: 'conflicting_record', found: found.map(({ type, value }) => ({ type, value })) }
    return cname === undefined && addresses.length === 0 ? { code: 'record_missing' } : undefined
  }

  return {
    verify: (name, target) =>
      problemOf(name, target).catch((error) => {
        if (error instanceof LookupError) return { code: 'dns_unreachable', name: error.host }
        throw error
      }),
  }
}

interface Owned extends DnsRecord {
  owner: string
}

async function addressesOf(host: string, lookup: Lookup): Promise<Owned[]> {
  const [a, aaaa] = await Promise.all([lookup(host, 'A'), lookup(host, 'AAAA')])
  return [
    ...a.map(({ owner, data }) => ({ type: 'A', value: data, owner })),
    ...aaaa.map(({ owner, data }) => ({ type: 'AAAA', value: data, owner })),
  ]
}

/** The other records that cannot coexist with a CNAME (RFC 1034, section 3.6.2), as far as they occur in practice. */
async function othersOf(host: string, lookup: Lookup): Promise<DnsRecord[]> {
  const [mx, txt, ns] = await Promise.all([lookup(host, 'MX'), lookup(host, 'TXT'), lookup(host, 'NS')])
  return [
    ...mx.map(({ data: { preference = 0, exchange } }) => ({ type: 'MX', value: `${preference} ${exchange}` })),
    ...txt.map(({ data }) => ({ type: 'TXT', value: data.join('') })),
    ...ns.map(({ data }) => ({ type: 'NS', value: data })),
  ]
}
