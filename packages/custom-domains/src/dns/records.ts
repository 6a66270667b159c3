// The records of a domain, and the addresses of the platform's CNAME target that they are compared with.
import type { DnsRecord } from '../state/domain.ts'
import { canonical, type Lookup } from './resolver.ts'
import { readService, type Service } from './service.ts'

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
export async function othersOf(host: string, lookup: Lookup): Promise<{ nameServers: string[]; others: DnsRecord[] }> {
  const [mx, txt, ns] = await Promise.all([lookup(host, 'MX'), lookup(host, 'TXT'), lookup(host, 'NS')])
  const others = [
    ...mx.map(({ data: { preference = 0, exchange } }) => ({ type: 'MX', value: `${preference} ${exchange}` })),
    ...txt.map(({ data }) => ({ type: 'TXT', value: data.join('') })),
  ]
  return { nameServers: ns.map(({ data }) => data), others }
}

interface OwnedService extends DnsRecord {
  type: 'HTTPS' | 'SVCB'
  service: Service
}

/** The HTTPS and SVCB records of the host itself; none where a server, or something on the way, drops such queries. */
export async function servicesOf(host: string, lookup: Lookup): Promise<OwnedService[]> {
  const types = { HTTPS: 'UNKNOWN_65', SVCB: 'UNKNOWN_64' } as const // as dns-packet calls them
  const found = await Promise.all(
    (['HTTPS', 'SVCB'] as const).map(async (type) => {
      const records = await lookup(host, types[type]).catch(() => [])
      return records.filter(({ owner }) => owner === host).flatMap(({ data }) => serviceIn(type, data))
    }),
  )
  return found.flat()
}

/** A malformed record is ignored, as browsers do. */
function serviceIn(type: OwnedService['type'], data: Buffer): OwnedService[] {
  try {
    const service = readService(data)
    return [{ type, value: service.text, service }]
  } catch {
    return []
  }
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

  /** The addresses that are not the target's. */
  async function foreignOf<Address extends DnsRecord>(target: string, addresses: Address[], lookup: Lookup) {
    let foreign = addresses
    for (let tries = 0; foreign.length > 0 && tries < TRIES; tries++) {
      const expected = await addressesOfTarget(target, lookup)
      foreign = foreign.filter(({ value }) => !expected.has(value))
    }
    return foreign
  }

  return {
    hasAddress: async (target: string, lookup: Lookup) => (await addressesOfTarget(target, lookup)).size > 0,
    foreign: foreignOf,
    /** The HTTPS records that lead browsers elsewhere. */
    async foreignServices({ host, target }: { host: string; target: string }, records: OwnedService[], lookup: Lookup) {
      const followed = records.filter(({ type }) => type === 'HTTPS')
      const hints = await foreignOf(
        target,
        followed.flatMap(({ service }) => service.addresses),
        lookup,
      )
      const own = ['', host, canonical(target)]
      return followed.filter(
        ({ service }) =>
          service.isBound ||
          !own.includes(canonical(service.target)) ||
          service.addresses.some((address) => hints.includes(address)),
      )
    },
  }
}
