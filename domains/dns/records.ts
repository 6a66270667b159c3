// The records of a name that matter for publishing under it.
import type { DnsRecord } from '../state/domain.ts'
import type { Lookup } from './resolver.ts'

export interface Owned extends DnsRecord {
  owner: string
}

/** @throws LookupError */
export async function addressesOf(host: string, lookup: Lookup): Promise<Owned[]> {
  const [a, aaaa] = await Promise.all([lookup(host, 'A'), lookup(host, 'AAAA')])
  return [
    ...a.map(({ owner, data }) => ({ type: 'A', value: data, owner })),
    ...aaaa.map(({ owner, data }) => ({ type: 'AAAA', value: data, owner })),
  ]
}

/**
 * The other records that cannot coexist with a CNAME (RFC 1034, section 3.6.2), as far as they occur in practice.
 * @throws LookupError
 */
export async function othersOf(host: string, lookup: Lookup): Promise<DnsRecord[]> {
  const [mx, txt, ns] = await Promise.all([lookup(host, 'MX'), lookup(host, 'TXT'), lookup(host, 'NS')])
  return [
    ...mx.map(({ data: { preference = 0, exchange } }) => ({ type: 'MX', value: `${preference} ${exchange}` })),
    ...txt.map(({ data }) => ({ type: 'TXT', value: data.join('') })),
    ...ns.map(({ data }) => ({ type: 'NS', value: data })),
  ]
}
