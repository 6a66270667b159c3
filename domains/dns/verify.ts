// Verifies that a domain's records point to the platform. It queries DNS only: no request is ever sent to the host itself.
import type { DnsRecord, DomainName, Problem } from '../state/domain.ts'
import { dnsLookup, type Lookup, LookupError, type ResolverOptions } from './resolver.ts'

export interface DnsVerifier {
  /** @param target the platform's CNAME target */
  verify(name: DomainName, target: string): Promise<Problem | undefined>
}

export function dnsVerifier(options: ResolverOptions): DnsVerifier {
  const lookup = dnsLookup(options)
  return {
    verify: (name, target) =>
      problemOf(name, target, lookup).catch((error) => {
        if (error instanceof LookupError) return { code: 'dns_unreachable', name: error.host }
        throw error
      }),
  }
}

async function problemOf(
  { host, kind, zone }: DomainName,
  target: string,
  lookup: Lookup,
): Promise<Problem | undefined> {
  // Only the first hop counts: whoever owns a name in between could take over the domain.
  const [cname] = kind === 'subdomain' ? await lookup(host, 'CNAME') : []
  if (cname !== undefined && canonical(cname) !== canonical(target)) {
    const isZoneAppended = canonical(cname) === `${canonical(target)}.${zone}`
    return { code: 'cname_mismatch', found: cname, expected: target, isZoneAppended }
  }
  const expected = await addressesOf(target, lookup)
  if (expected.length === 0) return { code: 'target_unresolvable', target }

  const addresses = await addressesOf(host, lookup)
  const pointsHere = kind === 'apex' || cname !== undefined
  const found = pointsHere
    ? addresses.filter(({ value }) => !expected.some((record) => record.value === value))
    : [...addresses, ...(await othersOf(host, lookup))]
  if (found.length > 0) return { code: 'conflicting_record', found }
  return cname === undefined && addresses.length === 0 ? { code: 'record_missing' } : undefined
}

function canonical(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

async function addressesOf(host: string, lookup: Lookup): Promise<DnsRecord[]> {
  const [a, aaaa] = await Promise.all([lookup(host, 'A'), lookup(host, 'AAAA')])
  return [...a.map((value) => ({ type: 'A', value })), ...aaaa.map((value) => ({ type: 'AAAA', value }))]
}

/** The other records that cannot coexist with a CNAME (RFC 1034, section 3.6.2), as far as they occur in practice. */
async function othersOf(host: string, lookup: Lookup): Promise<DnsRecord[]> {
  const [mx, txt, ns] = await Promise.all([lookup(host, 'MX'), lookup(host, 'TXT'), lookup(host, 'NS')])
  return [
    ...mx.map(({ priority, exchange }) => ({ type: 'MX', value: `${priority} ${exchange}` })),
    ...txt.map((parts) => ({ type: 'TXT', value: parts.join('') })),
    ...ns.map((value) => ({ type: 'NS', value })),
  ]
}
