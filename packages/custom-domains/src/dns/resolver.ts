// DNS lookups by type, which follow CNAMEs.
import type { Answer } from 'dns-packet'
import type { RecordType, Response } from './exchange.ts'

export interface CaaProperty {
  flags: number
  tag: string
  value: string
}

interface Data {
  A: string
  AAAA: string
  CNAME: string
  NS: string
  SOA: { minimum: number }
  MX: { preference?: number; exchange: string }
  TXT: string[]
  CAA: CaaProperty
  UNKNOWN_64: Buffer
  UNKNOWN_65: Buffer
}

export interface Found<Type extends RecordType> {
  /** The name that has the record: behind a CNAME, not the one in the query. */
  owner: string
  data: Data[Type]
}

interface Soa {
  ttl: number
  data: { minimum: number }
}

const DAY_S = 24 * 3600

/** A query bound to its servers and signal. @throws LookupError */
export type Ask<Section extends keyof Response = keyof Response> = (
  name: string,
  type: RecordType,
) => Promise<Pick<Response, Section>>

/** The records of a name, CNAMEs followed; empty when there are none. @throws LookupError */
export type Lookup = <Type extends RecordType>(host: string, type: Type) => Promise<Found<Type>[]>

export function dnsLookup(ask: Ask<'answers'>): Lookup {
  return async <Type extends RecordType>(host: string, type: Type) => {
    const { answers } = await ask(host, type)
    return recordsIn(answers, type)
  }
}

/** The records of a type, in a section of a response. */
export function recordsIn<Type extends RecordType>(section: readonly Answer[], type: Type): Found<Type>[] {
  return section
    .filter((answer) => String(answer.type) === type)
    .map((answer) => ({ owner: canonical(answer.name), data: dataOf(answer) as Data[Type] }))
}

/** How many seconds a resolver caches a response, negative ones included (RFC 2308, section 5); at most a day. */
export function lifetimeOf({ answers, authorities }: Pick<Response, 'answers' | 'authorities'>): number {
  const [first] = answers as { ttl: number }[] // those behind an alias follow
  const [soa] = authorities.filter((record) => record.type === 'SOA') as Soa[]
  if (first) return Math.min(DAY_S, first.ttl)
  return soa ? Math.min(DAY_S, soa.ttl, soa.data.minimum) : 0
}

/** The name in lower case, without a trailing dot. */
export function canonical(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function dataOf(answer: Answer): unknown {
  const { data } = answer as { data: unknown }
  return answer.type === 'TXT' ? [data].flat().map(String) : data
}
