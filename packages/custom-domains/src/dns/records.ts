// The records of a domain, and the addresses of the platform's CNAME target that they are compared with.
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
 * The other common records that cannot coexist with a CNAME (RFC 1034, section 3.6.2).
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

/** A target with many addresses returns some of them at a time. */
const TRIES = 5
const MEMORY_MS = 24 * 3_600_000

/**
 * The addresses of the platform's CNAME target, which may change from one response to the next. Its functions throw
 * LookupError.
 */
export function targetMemory() {
  const targets = new Map<string, Map<string, number>>()

  /** The addresses that the target has had within a day. */
  async function addressesOfTarget(target: string, lookup: Lookup): Promise<Set<string>> {
    const seen = targets.get(target) ?? new Map<string, number>()
    const now = Date.now()
    for (const { value } of await addressesOf(target, lookup)) seen.set(value, now)
    for (const [value, time] of seen) if (time <= now - MEMORY_MS) seen.delete(value)
    targets.set(target, seen)
    return new Set(seen.keys())
  }

  return {
    hasAddress: async (target: string, lookup: Lookup) => (await addressesOfTarget(target, lookup)).size > 0,
    /** The addresses that are not the target's. */
    async foreign(target: string, addresses: Owned[], lookup: Lookup) {
      let foreign = addresses
      for (let tries = 0; foreign.length > 0 && tries < TRIES; tries++) {
        const expected = await addressesOfTarget(target, lookup)
        foreign = foreign.filter(({ value }) => !expected.has(value))
      }
      return foreign
    },
  }
}
