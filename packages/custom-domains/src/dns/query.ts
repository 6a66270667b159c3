// DNS queries to several servers: if one fails, the next is queried.
import { promises } from 'node:dns'
import { isIP } from 'node:net'
import dnsPacket from 'dns-packet'
import { withTimeout } from '../time.ts'
import type { Server } from './address-policy.ts'
import { exchange, type RecordType, type Response } from './exchange.ts'

export interface ResolverOptions {
  /** Addresses such as `127.0.0.1:5353`. Default: the system's. */
  servers?: readonly string[]
  /** Timeout of a single query. */
  timeoutMs?: number
  /** Queries per server. */
  tries?: number
}

/** Without answers if there are no records. @throws LookupError, immediately when the signal aborts */
export type Query = (name: string, type: RecordType, signal: AbortSignal) => Promise<Response>

/** SERVFAIL, REFUSED or a timeout: it is unknown if the records exist. */
export class LookupError extends Error {
  readonly host: string
  /** All servers that responded refuse to, or are not authoritative. */
  readonly isRefused: boolean

  constructor(host: string, cause: unknown) {
    super(`no answer from DNS for ${host}`, { cause })
    this.host = host
    const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
    this.isRefused = causes.some(isRefusal) && causes.every(isRefusal)
  }
}

class RefusalError extends Error {}

function isRefusal(error: unknown): boolean {
  return error instanceof RefusalError || (error instanceof LookupError && error.isRefused)
}

interface QueryOptions {
  timeoutMs: number
  tries: number
  /** DNS flags; by default RECURSION_DESIRED. */
  flags?: number | undefined
  accepts?(response: Response): boolean
}

/** In milliseconds: of a query to a resolver, which may itself query several servers; to one server; of all about a host. */
export const timeouts = { resolver: 3000, server: 1000, host: 6000 }

const PORT = 53

/** @param flags of dns-packet, in place of those of a normal query */
export function dnsQuery(
  { servers = [], timeoutMs = timeouts.resolver, tries = 2 }: ResolverOptions,
  flags?: number,
): Query {
  const texts = () => (servers.length > 0 ? servers : new promises.Resolver().getServers())
  return (name, type, signal) => queryServers(texts().map(serverOf), { timeoutMs, tries, flags })(name, type, signal)
}

/** Queries one server after the other until a response is accepted. */
export function queryServers(
  servers: readonly Server[],
  { timeoutMs, tries, flags = dnsPacket.RECURSION_DESIRED, accepts = () => true }: QueryOptions,
): Query {
  return async (name, type, signal) => {
    let cause: unknown
    let refusal: RefusalError | undefined // counts more than another address of the server that is unreachable
    for (const server of Array.from({ length: tries }, () => servers).flat()) {
      try {
        const response = await exchange(server, { name, type }, flags, withTimeout(signal, timeoutMs))
        const { rcode } = response
        if ((rcode === 'NOERROR' || rcode === 'NXDOMAIN') && accepts(response)) return response
        cause = new Error(rcode)
        if (rcode !== 'SERVFAIL') refusal = new RefusalError(rcode)
      } catch (error) {
        cause = error
      }
    }
    throw new LookupError(name, refusal ?? cause)
  }
}

/** `127.0.0.1`, `127.0.0.1:53`, `::1` or `[::1]:53` */
function serverOf(text: string): Server {
  if (isIP(text)) return { address: text, port: PORT }
  const [, bracketed, plain = bracketed, port = PORT] = /^(?:\[(.+)\]|([\d.]+))(?::(\d+))?$/.exec(
    text,
  ) as RegExpExecArray
  return { address: String(plain), port: Number(port) }
}
