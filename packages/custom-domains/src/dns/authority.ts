// Queries the zone's authoritative servers, which see a change immediately; a resolver may serve a cached answer, negative
// ones included (RFC 2308).
import { isWithin } from '../domain-name.ts'
import { withTimeout } from '../time.ts'
import type { AddressPolicy, Server } from './address-policy.ts'
import { delegations, type Zone } from './delegation.ts'
import { dnsQuery, LookupError, queryServers, type ResolverOptions, timeouts } from './query.ts'
import { type Ask, dnsLookup, type Lookup, recordsIn } from './resolver.ts'

export interface AuthorityOptions extends ResolverOptions {
  /** Replaced by tests, whose name servers are on loopback addresses. */
  addressPolicy?: AddressPolicy | undefined
}

/** The zone of a host, and a lookup at each of its servers; no zone if they are unreachable. */
export interface ZoneLookups {
  zone?: string
  servers: ServerLookup[]
}

export interface ServerLookup {
  /** The name of the server. */
  server: string
  lookup: Lookup
}

export interface Authority {
  each(host: string, signal: AbortSignal): Promise<ZoneLookups>
  /** A lookup of the host and its parents: at a server of the name's zone, else at the resolver. */
  any(host: string, signal: AbortSignal): Promise<Lookup>
}

export function dnsAuthority({ addressPolicy, ...options }: AuthorityOptions): Authority {
  const { timeoutMs = timeouts.server, tries = 2 } = options
  const query = dnsQuery(options)
  const follow = delegations(timeoutMs, addressPolicy)

  async function open(host: string, signal: AbortSignal) {
    const inTime = withTimeout(signal, timeouts.host)
    const resolve = remembering((name, type) => query(name, type, inTime))
    const delegated = await follow(host, resolve, inTime).catch(orNone)
    /** Servers that are not authoritative are lame, and ignored. */
    function askAt(servers: Server[]): Ask {
      const ask = queryServers(servers, { timeoutMs, tries, flags: 0, accepts: ({ flag_aa }) => flag_aa })
      return leavingAliases((name, type) => ask(name, type, inTime), resolve)
    }
    return { delegated, askAt }
  }

  return {
    async each(host, signal) {
      const { delegated, askAt } = await open(host, signal)
      if (!delegated) return { servers: [] }
      const { nameServers } = delegated.path.at(-1) as Zone
      const servers = nameServers.map((each) => ({ server: each.name, lookup: dnsLookup(askAt(each.servers)) }))
      return { zone: await delegated.findZone(), servers }
    },
    async any(host, signal) {
      const { delegated, askAt } = await open(host, signal)
      return dnsLookup(async (name, type) => {
        const { nameServers = [] } = delegated?.path.findLast((zone) => isWithin(name, zone.name)) ?? {}
        const ask = askAt(nameServers.flatMap(({ servers }) => servers))
        return ask(name, type).catch(() => query(name, type, signal))
      })
    },
  }
}

function orNone(error: unknown): undefined {
  if (error instanceof LookupError) return undefined
  throw error
}

/** Sends each query once. */
function remembering(ask: Ask): Ask {
  const responses = new Map<string, ReturnType<Ask>>()
  return (name, type) => {
    const key = `${type} ${name}`
    const response = responses.get(key) ?? ask(name, type)
    responses.set(key, response)
    return response
  }
}

/** Resolves a CNAME into another zone at the resolver. */
function leavingAliases(ask: Ask, resolve: Ask): Ask {
  return async (name, type) => {
    const response = await ask(name, type)
    const { answers } = response
    const alias = recordsIn(answers, 'CNAME').at(-1)
    if (!alias || answers.some((answer) => answer.type === type)) return response
    const behind = await resolve(alias.data, type)
    return { ...response, answers: [...answers, ...behind.answers] }
  }
}
