// Verifies that a domain's records point to the platform. It queries DNS only: no request is ever sent to the host itself.

import dnsPacket from 'dns-packet'
import { isWithin } from '../domain-name.ts'
import { definitionOf } from '../problems/index.ts'
import type { DnsRecord, DomainName, Outdated, Problem } from '../state/domain.ts'
import { type AuthorityOptions, dnsAuthority, type ServerLookup } from './authority.ts'
import { type Checked, checkRecords } from './check.ts'
import { dnsQuery, LookupError } from './query.ts'
import { type Target, type Targets, targetMemory } from './records.ts'
import { type Ask, dnsLookup, lifetimeOf } from './resolver.ts'

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
  /** It does not serve the zone. */
  isRefused: boolean
}

interface ZoneAnswers {
  zone: string | undefined
  answers: ServerAnswer[]
}

export interface DnsVerifier {
  /** @param targets the platform's CNAME target, and other names for it */
  verify(name: DomainName, targets: Targets, signal: AbortSignal): Promise<Verification>
  /** Whether a name has a TXT record with this value. @returns a problem if its servers do not respond */
  hasText(name: string, value: string, signal: AbortSignal): Promise<boolean | Problem>
}

export function dnsVerifier(options: AuthorityOptions): DnsVerifier {
  const query = dnsQuery(options)
  const queryUnvalidated = dnsQuery(options, dnsPacket.RECURSION_DESIRED | dnsPacket.CHECKING_DISABLED)
  const authority = dnsAuthority(options)
  const openTargets = targetMemory()

  async function atResolver(
    checked: Checked,
    { ask, platform, signal }: { ask: Ask; platform: Target; signal: AbortSignal },
  ): Promise<ResolverAnswer> {
    const { name } = checked
    let seconds = 0
    let isOwn = false
    const noting = dnsLookup(async (host, type) => {
      const response = await ask(host, type)
      seconds = Math.max(seconds, lifetimeOf(response))
      isOwn ||= response.flag_aa
      return response
    })
    const problem = await checkRecords(checked, noting, platform).catch(unreachable)
    if (problem?.code !== 'dns_unreachable' || !isWithin(problem.name, name.zone)) return { problem, seconds, isOwn }
    // A validating resolver answers SERVFAIL for a zone with broken DNSSEC, unless validation is off (RFC 4035, 3.2.2).
    const unvalidated = dnsLookup((host, type) => queryUnvalidated(host, type, signal))
    const other = await checkRecords(checked, unvalidated, platform).catch(unreachable)
    const isBroken = other?.code !== 'dns_unreachable'
    return { problem: isBroken ? { code: 'dnssec_broken', name: problem.name } : problem, seconds, isOwn }
  }

  async function atServer(checked: Checked, { server, lookup }: ServerLookup, platform: Target): Promise<ServerAnswer> {
    try {
      return { server, problem: await checkRecords(checked, lookup, platform), isRefused: false }
    } catch (error) {
      const isRefused = error instanceof LookupError && error.isRefused && isWithin(error.host, checked.name.zone)
      return { server, problem: unreachable(error), isRefused }
    }
  }

  return {
    async hasText(name, value, signal) {
      const lookup = await authority.any(name, signal)
      return lookup(name, 'TXT').then((records) => records.some(({ data }) => data.join('') === value), unreachable)
    },
    async verify(name, targets, signal) {
      const ask: Ask = (host, type) => query(host, type, signal)
      const platform = openTargets(targets, dnsLookup(ask), (host) => authority.any(host, signal))
      const { zone, servers } = await authority.each(name.host, signal)
      const checked = { name, targets, zone }
      const [cached, ...answers] = await Promise.all([
        atResolver(checked, { ask, platform, signal }),
        ...servers.map((server) => atServer(checked, server, platform)),
      ])
      signal.throwIfAborted()
      return compareAnswers(cached, { zone, answers }, new Date())
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
function compareAnswers(cached: ResolverAnswer, { zone, answers }: ZoneAnswers, now: Date): Verification {
  const responded = answers.filter(({ problem }) => !problem || !definitionOf(problem).isUnresolved)
  const serverAnswers = cached.isOwn && !cached.problem ? [] : responded
  const wrong = serverAnswers.flatMap(({ server, problem }) => (problem ? [{ server, problem }] : []))
  const [first] = wrong
  if (first && wrong.length === serverAnswers.length) return { problem: first.problem }
  if (first) return { outdated: { server: first.server, found: recordsOf(first.problem) } }
  const { problem, seconds } = cached
  if (
    problem?.code === 'dns_unreachable' &&
    zone !== undefined &&
    answers.length > 0 &&
    answers.every(({ isRefused }) => isRefused)
  )
    return { problem: { ...problem, refused: { zone, servers: answers.map(({ server }) => server) } } }
  if (serverAnswers.length === 0 || !problem || definitionOf(problem).isUnresolved) return { problem }
  return { outdated: { until: new Date(now.getTime() + seconds * 1000).toISOString(), found: recordsOf(problem) } }
}

/** A problem that only some servers show is one of the record, and has `records`. */
function recordsOf(problem: Problem): DnsRecord[] {
  return definitionOf(problem).records?.(problem) as DnsRecord[]
}
