// Verifies that a domain's records point to the platform. It queries DNS only: no request is ever sent to the host itself.
import dnsPacket from 'dns-packet'
import type { DnsRecord, DomainName, Outdated, Problem, ProblemCode } from '../state/domain.ts'
import { type AuthorityOptions, dnsAuthority } from './authority.ts'
import { dnsQuery, LookupError } from './query.ts'
import { addressesOf, othersOf, targetMemory } from './records.ts'
import { type Ask, canonical, dnsLookup, isWithin, type Lookup, lifetimeOf } from './resolver.ts'

export interface Verification {
  /** Undefined if the record is right. */
  problem?: Problem | undefined
  /** Set if the record is right, but not everywhere yet. */
  outdated?: Outdated | undefined
}

/** A resolver's answer, and for how many seconds it stays cached. */
interface ResolverAnswer {
  problem: Problem | undefined
  seconds: number
  /** It claims to be authoritative: for a zone of its own (split-horizon DNS), or wrongly, as CoreDNS does for its cache. */
  isOwn: boolean
}

/** The answer of one of the zone's servers. */
interface ServerAnswer {
  server: string
  problem: Problem | undefined
}

/** The resolver has no answer. */
const unresolved: ReadonlySet<ProblemCode> = new Set(['dns_unreachable', 'dnssec_broken'])

export interface DnsVerifier {
  /** @param target the platform's CNAME target */
  verify(name: DomainName, target: string, signal: AbortSignal): Promise<Verification>
}

export function dnsVerifier(options: AuthorityOptions): DnsVerifier {
  const query = dnsQuery(options)
  const queryUnvalidated = dnsQuery(options, dnsPacket.RECURSION_DESIRED | dnsPacket.CHECKING_DISABLED)
  const authority = dnsAuthority(options)
  const targets = targetMemory()

  /** The problem of the records at one server. Only the target is looked up at the resolver. */
  async function problemOf(
    { host, kind, zone }: DomainName,
    target: string,
    lookup: Lookup,
    resolver: Lookup,
  ): Promise<Problem | undefined> {
    // Only the first hop counts: the owner of a name in between could take over the domain.
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

  async function atResolver(
    name: DomainName,
    target: string,
    { ask, resolver, signal }: { ask: Ask; resolver: Lookup; signal: AbortSignal },
  ): Promise<ResolverAnswer> {
    let [seconds, isOwn] = [0, false]
    const noting = dnsLookup(async (host, type) => {
      const response = await ask(host, type)
      seconds = Math.max(seconds, lifetimeOf(response))
      isOwn ||= response.flag_aa
      return response
    })
    const problem = await problemOf(name, target, noting, resolver).catch(unreachable)
    if (problem?.code !== 'dns_unreachable' || !isWithin(problem.name, name.zone)) return { problem, seconds, isOwn }
    // A validating resolver answers SERVFAIL for a zone with broken DNSSEC, unless validation is off (RFC 4035, 3.2.2).
    const unvalidated = dnsLookup((host, type) => queryUnvalidated(host, type, signal))
    const other = await problemOf(name, target, unvalidated, resolver).catch(unreachable)
    const isBroken = other?.code !== 'dns_unreachable'
    return { problem: isBroken ? { code: 'dnssec_broken', name: problem.name } : problem, seconds, isOwn }
  }

  async function atZone(
    name: DomainName,
    target: string,
    resolver: Lookup,
    signal: AbortSignal,
  ): Promise<ServerAnswer[]> {
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
      const both = [
        atResolver(name, target, { ask, resolver, signal }),
        atZone(name, target, resolver, signal),
      ] as const
      const [cached, known] = await Promise.all(both)
      signal.throwIfAborted()
      return compareAnswers(cached, known, new Date())
    },
  }
}

function unreachable(error: unknown): Problem {
  if (error instanceof LookupError) return { code: 'dns_unreachable', name: error.host }
  throw error
}

/**
 * The authoritative servers win, because certificate authorities query them too. The resolver decides if none responds, or
 * if it has the right record in a zone of its own. Visitors depend on resolvers as well: a right record that the resolver
 * cannot resolve is a problem.
 */
function compareAnswers(cached: ResolverAnswer, all: readonly ServerAnswer[], now: Date): Verification {
  const known = cached.isOwn && !cached.problem ? [] : all.filter(({ problem }) => problem?.code !== 'dns_unreachable')
  const wrong = known.flatMap(({ server, problem }) => (problem ? [{ server, problem }] : []))
  const [first] = wrong
  if (first && wrong.length === known.length) return { problem: first.problem }
  if (first) return { outdated: { server: first.server, found: recordsOf(first.problem) } }
  const { problem, seconds } = cached
  if (known.length === 0 || !problem || unresolved.has(problem.code)) return { problem }
  return { outdated: { until: new Date(now.getTime() + seconds * 1000).toISOString(), found: recordsOf(problem) } }
}

function recordsOf(problem: Problem): DnsRecord[] {
  if (problem.code === 'cname_mismatch') return [{ type: 'CNAME', value: problem.found }]
  return problem.code === 'conflicting_record' ? problem.found : []
}
