// Follows the delegations from a host's top-level domain to its zone (RFC 1034, section 5.3.3), as certificate authorities
// do: a resolver may have cached former name servers.

import type { Answer } from 'dns-packet'
import { isWithin } from '../domain-name.ts'
import { publicOnly, type Server } from './address-policy.ts'
import type { Response } from './exchange.ts'
import { LookupError, queryServers } from './query.ts'
import { type Ask, canonical, dnsLookup, type Found, recordsIn } from './resolver.ts'

export interface NameServer {
  name: string
  /** One for IPv4, one for IPv6. */
  servers: Server[]
}

export interface Zone {
  name: string
  nameServers: NameServer[]
}

export interface Delegated {
  /** The zones from the top-level domain to the last delegation, whose servers may all refuse to serve it. */
  path: Zone[]
  /** Finds the name of the zone that contains the host: the last one, or one that the same servers have. */
  findZone(): Promise<string>
}

/** @param resolve queries a resolver @throws LookupError if none of the servers of a zone responds */
export type Delegations = (host: string, resolve: Ask, signal: AbortSignal) => Promise<Delegated>

/** A network that blocks queries to name servers still does a moment later. Two unrelated top-level domains show it. */
const BLOCKED_MS = 10 * 60_000
/** The owner of a domain can delegate it any number of times, to any number of servers. */
const MAX_ZONES = 6
const MAX_NAME_SERVERS = 13

/** @param timeoutMs of a query to a name server */
export function delegations(timeoutMs: number, addressPolicy = publicOnly): Delegations {
  let blockedUntil = 0
  /** The last top-level domain whose servers did not respond, if none has since. */
  let silent: Zone | undefined

  /** @param glue addresses of name servers */
  async function nameServer(name: string, glue: readonly Answer[], resolve: Ask): Promise<NameServer> {
    const answers = glue.filter((record) => canonical(record.name) === name)
    const lookup = dnsLookup(async (host, type) => (answers.length > 0 ? { answers } : resolve(host, type)))
    const resolved = await Promise.all([lookup(name, 'A'), lookup(name, 'AAAA')]).catch(() => [])
    const addresses = resolved.map((records) => records.flatMap(({ data }) => addressPolicy(data) ?? []))
    return { name, servers: addresses.flatMap((some) => some.slice(0, 1)) }
  }

  async function zoneOf(
    name: string,
    records: Found<'NS'>[],
    resolve: Ask,
    glue: readonly Answer[] = [],
  ): Promise<Zone> {
    const names = new Set(records.map(({ data }) => canonical(data)))
    const some = [...names].slice(0, MAX_NAME_SERVERS)
    const nameServers = await Promise.all(some.map((text) => nameServer(text, glue, resolve)))
    return { name, nameServers: nameServers.filter(({ servers }) => servers.length > 0) }
  }

  /** The first useful response of any server: lame servers refuse, or know only the parent zone. */
  async function queryAny(
    host: string,
    { name, nameServers }: Zone,
    signal: AbortSignal,
    type: 'A' | 'SOA' = 'A',
  ): Promise<Response> {
    const accepts = (response: Response) => response.flag_aa || cutIn(response, host, name) !== undefined
    const over = new AbortController()
    const both = AbortSignal.any([signal, over.signal])
    const responses = nameServers.map(({ servers }) =>
      queryServers(servers, { timeoutMs, tries: 1, flags: 0, accepts })(host, type, both),
    )
    const first = await Promise.any(responses).catch((error) => {
      throw new LookupError(host, error)
    })
    over.abort()
    return first
  }

  function noteSilence(top: Zone) {
    if (silent && isUnrelated(silent, top)) blockedUntil = performance.now() + BLOCKED_MS
    silent = top
  }

  async function follow(
    host: string,
    top: Zone,
    begin: Response,
    resolve: Ask,
    signal: AbortSignal,
  ): Promise<Delegated> {
    const path = [top]
    let response = begin
    for (let zone = top; !response.flag_aa; ) {
      if (path.length === MAX_ZONES) throw new LookupError(host, new Error('too many delegations'))
      const cut = cutIn(response, host, zone.name) as string
      const names = recordsIn(response.authorities, 'NS').filter(({ owner }) => owner === cut)
      // A server is trusted with addresses of its own zone only (RFC 5452, section 6).
      const glue = response.additionals.filter((record) => isWithin(canonical(record.name), zone.name))
      zone = await zoneOf(cut, names, resolve, glue)
      path.push(zone)
      const next = await queryAny(host, zone, signal).catch(orRefused)
      if (!next) return { path, findZone: async () => cut }
      response = next
    }
    return { path, findZone: () => zoneFrom(host, path.at(-1) as Zone, response, signal) }
  }

  /**
   * The name of the zone that a response is from. A server that has both the zone that was queried and one delegated from
   * it never responds with the delegation.
   */
  async function zoneFrom(host: string, zone: Zone, response: Response, signal: AbortSignal): Promise<string> {
    const ownerIn = ({ answers, authorities }: Response) =>
      recordsIn([...answers, ...authorities], 'SOA').find(
        ({ owner }) => isWithin(host, owner) && isWithin(owner, zone.name),
      )?.owner
    const isAlias = recordsIn(response.answers, 'CNAME').length > 0 // then no apex, so its parent is in the same zone
    const name = isAlias ? host.slice(host.indexOf('.') + 1) : host
    const ofResponse = ownerIn(response)
    const owner = ofResponse ?? (await queryAny(name, zone, signal, 'SOA').then(ownerIn, () => undefined))
    return owner ?? zone.name
  }

  return async (host, resolve, signal) => {
    if (performance.now() < blockedUntil)
      throw new LookupError(host, new Error('this network blocks queries to name servers'))
    const topLevel = host.slice(host.lastIndexOf('.') + 1)
    const top = await zoneOf(topLevel, await dnsLookup(resolve)(topLevel, 'NS'), resolve)
    const response = await queryAny(host, top, signal).catch((error) => {
      if (top.nameServers.length > 0 && !signal.aborted) noteSilence(top)
      throw error
    })
    silent = undefined
    return follow(host, top, response, resolve, signal)
  }
}

/** One registry may serve several top-level domains. */
function isUnrelated(zone: Zone, other: Zone): boolean {
  const names = zone.nameServers.map(({ name }) => name)
  return !other.nameServers.some(({ name }) => names.includes(name))
}

function orRefused(error: unknown): undefined {
  if (!(error instanceof LookupError && error.isRefused)) throw error
}

/** The zone that a response delegates to. It must lie below the zone that was queried, which rules out loops. */
function cutIn({ authorities }: Response, host: string, zone: string): string | undefined {
  const owners = recordsIn(authorities, 'NS').map(({ owner }) => owner)
  return owners.find((owner) => owner !== zone && isWithin(owner, zone) && isWithin(host, owner))
}
