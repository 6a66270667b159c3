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
  const records = await Promise.all(
    (['HTTPS', 'SVCB'] as const).map(async (type) => {
      const records = await lookup(host, types[type]).catch(() => [])
      return records.filter(({ owner }) => owner === host).flatMap(({ data }) => serviceIn(type, data))
    }),
  )
  return records.flat()
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
const TRIES = 30
/** A target that returns the same addresses so often has no others. */
const SAME = 3
const MEMORY_MS = 24 * 3_600_000

/** The platform's CNAME target, during one verification. Its functions throw LookupError. */
export interface Target {
  hasAddress(): Promise<boolean>
  /** The addresses that are not the target's. */
  foreign<Address extends DnsRecord>(addresses: Address[]): Promise<Address[]>
  /** The HTTPS records of the host that lead browsers elsewhere. */
  foreignServices(host: string, records: OwnedService[]): Promise<OwnedService[]>
}

/** @param fresh a lookup of a name that no cache responds to, if possible */
export type OpenTargets = (targets: Targets, resolver: Lookup, fresh: (host: string) => Promise<Lookup>) => Target

/** The target that users are shown, and other names for the same servers: former ones stay in users' zones. */
export type Targets = readonly [string, ...string[]]

/** Addresses may change from one response to the next: those of a day are remembered. */
export function targetMemory(): OpenTargets {
  const memory = new Map<string, Map<string, number>>()

  function open(target: string, resolver: Lookup, fresh: (host: string) => Promise<Lookup>): Target {
    const seen = memory.get(target) ?? new Map<string, number>()
    memory.set(target, seen)
    let cached: Promise<Owned[]> | undefined
    let collected: Promise<void> | undefined

    async function look(host: string, lookup: Lookup): Promise<Owned[]> {
      const now = Date.now()
      const addresses = await addressesOf(host, lookup)
      for (const { value } of addresses) seen.set(value, now)
      for (const [value, time] of seen) if (time <= now - MEMORY_MS) seen.delete(value)
      return addresses
    }

    async function atResolver() {
      cached ??= look(target, resolver)
      return cached
    }

    /** A cache would return the same few of many addresses until they expire. */
    async function collect() {
      const [{ owner } = { owner: target }] = await atResolver()
      const lookup = await fresh(owner)
      const all = new Set<string>()
      for (let tries = 0, same = 0; tries < TRIES && same < SAME; tries++) {
        const before = all.size
        const latest = await look(owner, lookup)
        for (const { value } of latest) all.add(value)
        same = before === latest.length && before === all.size ? same + 1 : 0
      }
    }

    const unseen = <Address extends DnsRecord>(addresses: Address[]) =>
      addresses.filter(({ value }) => !seen.has(value))

    async function foreign<Address extends DnsRecord>(addresses: Address[]): Promise<Address[]> {
      if (addresses.length === 0) return []
      await atResolver()
      if (unseen(addresses).length === 0) return []
      collected ??= collect()
      await collected
      return unseen(addresses)
    }

    return {
      async hasAddress() {
        await atResolver()
        return seen.size > 0
      },
      foreign,
      async foreignServices(host, records) {
        const followed = records.filter(({ type }) => type === 'HTTPS')
        const hints = await foreign(followed.flatMap(({ service }) => service.addresses))
        const ownNames = ['', host, canonical(target)]
        return followed.filter(
          ({ service }) =>
            service.isBound ||
            !ownNames.includes(canonical(service.target)) ||
            service.addresses.some((address) => hints.includes(address)),
        )
      },
    }
  }
  return (targets, resolver, fresh) => together(targets.map((target) => open(target, resolver, fresh)))
}

/** What leads to one of them leads to the platform. */
function together(targets: readonly Target[]): Target {
  return {
    hasAddress: async () => (await Promise.all(targets.map(({ hasAddress }) => hasAddress()))).includes(true),
    async foreign(addresses) {
      let rest = addresses
      for (const { foreign } of targets) rest = await foreign(rest)
      return rest
    },
    async foreignServices(host, records) {
      let rest = records
      for (const { foreignServices } of targets) rest = await foreignServices(host, rest)
      return rest
    },
  }
}
