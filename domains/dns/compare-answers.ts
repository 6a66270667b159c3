// Compares the records at a zone's own servers with those that a resolver has cached.
import type { DnsRecord, Outdated, Problem, ProblemCode } from '../state/domain.ts'
import type { Response } from './exchange.ts'

export interface Verification {
  /** Undefined if the record is right. */
  problem?: Problem | undefined
  /** Set if the record is right, but not everywhere yet. */
  outdated?: Outdated | undefined
}

/** A resolver's answer, and for how many seconds it stays cached. */
export interface ResolverAnswer {
  problem: Problem | undefined
  seconds: number
  /** It claims to be authoritative: for a zone of its own (split-horizon DNS), or wrongly, as CoreDNS does for its cache. */
  isOwn: boolean
}

/** The answer of one of the zone's servers. */
export interface ServerAnswer {
  server: string
  problem: Problem | undefined
}

interface Soa {
  ttl: number
  data: { minimum: number }
}

const DAY_S = 24 * 3600
/** The resolver has no answer. */
const unresolved: ReadonlySet<ProblemCode> = new Set(['dns_unreachable', 'dnssec_broken'])

/**
 * The authoritative servers win, because certificate authorities query them too. The resolver decides if none responds, or
 * if it has the right record in a zone of its own. Visitors depend on resolvers as well: a right record that the resolver
 * cannot resolve is a problem.
 */
export function compareAnswers(cached: ResolverAnswer, all: readonly ServerAnswer[], now: Date): Verification {
  const known = cached.isOwn && !cached.problem ? [] : all.filter(({ problem }) => problem?.code !== 'dns_unreachable')
  const wrong = known.flatMap(({ server, problem }) => (problem ? [{ server, problem }] : []))
  const [first] = wrong
  if (first && wrong.length === known.length) return { problem: first.problem }
  if (first) return { outdated: { server: first.server, found: recordsIn(first.problem) } }
  const { problem, seconds } = cached
  if (known.length === 0 || !problem || unresolved.has(problem.code)) return { problem }
  return { outdated: { until: new Date(now.getTime() + seconds * 1000).toISOString(), found: recordsIn(problem) } }
}

function recordsIn(problem: Problem): DnsRecord[] {
  if (problem.code === 'cname_mismatch') return [{ type: 'CNAME', value: problem.found }]
  return problem.code === 'conflicting_record' ? problem.found : []
}

/** How many seconds a resolver caches a response, negative ones included (RFC 2308, section 5); at most a day. */
export function lifetimeOf({ answers, authorities }: Pick<Response, 'answers' | 'authorities'>): number {
  const [own] = answers as { ttl: number }[] // those behind an alias follow
  const [soa] = authorities.filter((record) => record.type === 'SOA') as Soa[]
  if (own) return Math.min(DAY_S, own.ttl)
  return soa ? Math.min(DAY_S, soa.ttl, soa.data.minimum) : 0
}
