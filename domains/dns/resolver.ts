// DNS lookups by type, which follow CNAMEs.
import type { Answer } from 'dns-packet'
import { dnsQuery, type RecordType, type ResolverOptions } from './query.ts'

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
  MX: { preference?: number; exchange: string }
  TXT: string[]
  CAA: CaaProperty
}

export interface Found<Type extends RecordType> {
  /** The name that has the record: another one than was asked about, behind a CNAME. */
  owner: string
  data: Data[Type]
}

/** The records of a name, CNAMEs followed; empty when there are none. @throws LookupError */
export type Lookup = <Type extends RecordType>(host: string, type: Type) => Promise<Found<Type>[]>

export function dnsLookup(options: ResolverOptions): Lookup {
  const query = dnsQuery(options)
  return async <Type extends RecordType>(host: string, type: Type) => {
    const answers = await query(host, type)
    return answers
      .filter((answer) => answer.type === type)
      .map((answer) => ({ owner: canonical(answer.name), data: dataOf(answer) as Data[Type] }))
  }
}

/** In lower case, without a trailing dot. */
export function canonical(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function dataOf(answer: Answer): unknown {
  const { data } = answer as { data: unknown }
  return answer.type === 'TXT' ? [data].flat().map(String) : data
}
