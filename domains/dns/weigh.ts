// Weighs what the servers of a zone know against what a resolver has cached.
import type { DnsRecord, Problem, Stale } from '../state/domain.ts'
import type { Response } from './exchange.ts'

export interface Verification {
  /** Undefined where the record is right. */
  problem?: Problem | undefined
  /** Set where the record is right, but not everywhere yet. */
  stale?: Stale | undefined
}

/** As a resolver answers, for so many seconds. */
export interface Cached {
  problem: Problem | undefined
  seconds: number
  /** It calls itself authoritative: for a zone of its own (split-horizon DNS), or wrongly, as CoreDNS does for its cache. */
  isOwn: boolean
}

/** As a server of the zone answers. */
export interface Known {
  server: string
  problem: Problem | undefined
}

interface Soa {
  ttl: number
  data: { minimum: number }
}

const DAY_S = 24 * 3600

/**
 * The zone's servers decide: authorities ask them too. Where none answers, the resolver does, and also where it has a right
 * record in a zone of its own. If it cannot resolve a right record, as with a broken DNSSEC, few visitors can.
 */
export function weigh(cached: Cached, all: readonly Known[], now: Date): Verification {
  const known = cached.isOwn && !cached.problem ? [] : all.filter(({ problem }) => problem?.code !== 'dns_unreachable')
  const wrong = known.flatMap(({ server, problem }) => (problem ? [{ server, problem }] : []))
  const [first] = wrong
  if (first && wrong.length === known.length) return { problem: first.problem }
  if (first) return { stale: { server: first.server, found: recordsIn(first.problem) } }
  const { problem, seconds } = cached
  if (known.length === 0 || !problem || problem.code === 'dns_unreachable') return { problem }
  return { stale: { until: new Date(now.getTime() + seconds * 1000).toISOString(), found: recordsIn(problem) } }
}

function recordsIn(problem: Problem): DnsRecord[] {
  if (problem.code === 'cname_mismatch') return [{ type: 'CNAME', value: problem.found }]
  return problem.code === 'conflicting_record' ? problem.found : []
}

/** For how many seconds a resolver caches a response, also one without records (RFC 2308, section 5); at most a day. */
export function lifetimeOf({ answers, authorities }: Pick<Response, 'answers' | 'authorities'>): number {
  const [own] = answers as { ttl: number }[] // those behind an alias follow
  const [soa] = authorities.filter((record) => record.type === 'SOA') as Soa[]
  if (own) return Math.min(DAY_S, own.ttl)
  return soa ? Math.min(DAY_S, soa.ttl, soa.data.minimum) : 0
}
