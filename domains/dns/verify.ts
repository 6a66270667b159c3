// Verifies that a domain's records point to the platform. It queries DNS only: no request is ever sent to the host itself.
import type { DomainName, Problem } from '../state/domain.ts'
import { type AuthorityOptions, dnsAuthority } from './authority.ts'
import { dnsQuery, LookupError } from './query.ts'
import { addressesOf, othersOf } from './records.ts'
import { type Ask, canonical, dnsLookup, type Lookup } from './resolver.ts'
import { targetMemory } from './target.ts'
import { type Cached, type Known, lifetimeOf, type Verification, weigh } from './weigh.ts'

export interface DnsVerifier {
  /** @param target the platform's CNAME target */
  verify(name: DomainName, target: string, signal: AbortSignal): Promise<Verification>
}

export function dnsVerifier(options: AuthorityOptions): DnsVerifier {
  const query = dnsQuery(options)
  const authority = dnsAuthority(options)
  const targets = targetMemory()

  /** Of the records as one server knows them; only the target is left to the resolver. */
  async function problemOf(
    { host, kind, zone }: DomainName,
    target: string,
    lookup: Lookup,
    resolver: Lookup,
  ): Promise<Problem | undefined> {
    // Only the first hop counts: whoever owns a name in between could take over the domain.
    const [alias] = kind === 'subdomain' ? await lookup(host, 'CNAME') : []
    const cname = alias?.data
    if (cname !== undefined && canonical(cname) !== canonical(target)) {
      const isZoneAppended = canonical(cname) === `${canonical(target)}.${zone}`
      return { code: 'cname_mismatch', found: cname, expected: target, isZoneAppended }
    }
    if (!(await targets.hasAddress(target, resolver))) return { code: 'target_unresolvable', target }

    const addresses = await addressesOf(host, lookup)
    const own = addresses.filter(({ owner }) => cname === undefined || owner === host) // others are the target's
    const pointsHere = kind === 'apex' || cname !== undefined
    const found = pointsHere
      ? await targets.foreign(target, own, resolver)
      : [...own, ...(await othersOf(host, lookup))]
    if (found.length > 0)
      return { code: 'conflicting_record', found: found.map(({ type, value }) => ({ type, value })) }
    return cname === undefined && addresses.length === 0 ? { code: 'record_missing' } : undefined
  }

  async function atResolver(name: DomainName, target: string, ask: Ask, resolver: Lookup): Promise<Cached> {
    let [seconds, isOwn] = [0, false]
    const noting = dnsLookup(async (host, type) => {
      const response = await ask(host, type)
      seconds = Math.max(seconds, lifetimeOf(response))
      isOwn ||= response.flag_aa
      return response
    })
    const problem = await problemOf(name, target, noting, resolver).catch(unreachable)
    return { problem, seconds, isOwn }
  }

  async function atZone(name: DomainName, target: string, resolver: Lookup, signal: AbortSignal): Promise<Known[]> {
    const servers = await authority.each(name.host, signal)
    return Promise.all(
      servers.map(async ({ server, lookup }) => {
        const problem = await problemOf(name, target, lookup, resolver).catch(unreachable)
        return { server, problem }
      }),
    )
  }

  return {
    async verify(name, target, signal) {
      const ask: Ask = (host, type) => query(host, type, signal)
      const resolver = dnsLookup(ask)
      const both = [atResolver(name, target, ask, resolver), atZone(name, target, resolver, signal)] as const
      const [cached, known] = await Promise.all(both)
      signal.throwIfAborted()
      return weigh(cached, known, new Date())
    },
  }
}

function unreachable(error: unknown): Problem {
  if (error instanceof LookupError) return { code: 'dns_unreachable', name: error.host }
  throw error
}
