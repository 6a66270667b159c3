// DNS queries to several servers: if one fails or takes long, the next is queried as well.
import { promises } from 'node:dns'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Resolves without answers if there are no records. @throws LookupError, immediately when the signal aborts */
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
  onSilence?(server: Server): void
}

/** Time limits of a query to a resolver, which may itself query several servers; to one server; of all about a host. */
export const timeouts = { resolver: 3000, server: 1000, host: 6000 }

const PORT = 53

/** A server that has not responded for this long is silent: the next one is queried too, and from then on before it. */
const SILENCE_MS = 1000
const SILENT_FOR_MS = 10 * 60_000

/** Queries resolvers. @param flags of dns-packet, in place of those of a normal query */
export function dnsQuery(
  { servers = [], timeoutMs = timeouts.resolver, tries = 2 }: ResolverOptions,
  flags?: number,
): Query {
  const texts = () => (servers.length > 0 ? servers : new promises.Resolver().getServers())
  const silentUntil = new Map<string, number>()
  const keyOf = ({ address, port }: Server) => `${address} ${port}`
  const onSilence = (server: Server) => silentUntil.set(keyOf(server), performance.now() + SILENT_FOR_MS)
  const isSilent = (server: Server) => performance.now() < (silentUntil.get(keyOf(server)) ?? 0)
  return (name, type, signal) => {
    const resolvers = texts().map(serverOf)
    const ordered = [...resolvers.filter((resolver) => !isSilent(resolver)), ...resolvers.filter(isSilent)]
    return queryServers(ordered, { timeoutMs, tries, flags, onSilence })(name, type, signal)
  }
}

/** Queries one server after the other until a response is accepted. */
export function queryServers(
  servers: readonly Server[],
  { timeoutMs, tries, flags = dnsPacket.RECURSION_DESIRED, accepts = () => true, onSilence }: QueryOptions,
): Query {
  return async (name, type, signal) => {
    const over = new AbortController()
    const ending = AbortSignal.any([signal, over.signal])

    async function query(server: Server): Promise<Response> {
      const response = await exchange(server, { name, type }, flags, withTimeout(ending, timeoutMs))
      const { rcode } = response
      if ((rcode === 'NOERROR' || rcode === 'NXDOMAIN') && accepts(response)) return response
      throw rcode === 'SERVFAIL' ? new Error(rcode) : new RefusalError(rcode)
    }

    async function first(): Promise<Response> {
      const responses: Promise<Response>[] = []
      for (const server of Array.from({ length: tries }, () => servers).flat()) {
        const response = query(server)
        responses.push(response)
        const silence = sleep(Math.min(SILENCE_MS, timeoutMs / 2), 'silence' as const, { signal: ending, ref: false })
        const outcomes = [Promise.any(responses), response, silence].map((outcome) => outcome.catch(() => undefined))
        const outcome = await Promise.race(outcomes)
        if (outcome === 'silence') onSilence?.(server)
        if (typeof outcome === 'object') return outcome
      }
      return Promise.any(responses)
    }

    return first()
      .catch((error) => {
        throw new LookupError(name, causeOf(error))
      })
      .finally(() => over.abort())
  }
}

/** A refusal counts more than another address of the server that is unreachable. */
function causeOf({ errors }: AggregateError): unknown {
  return errors.find(isRefusal) ?? errors.at(-1)
}

/** `127.0.0.1`, `127.0.0.1:53`, `::1` or `[::1]:53` */
function serverOf(text: string): Server {
  if (isIP(text)) return { address: text, port: PORT }
  const [, bracketed, plain = bracketed, port = PORT] = /^(?:\[(.+)\]|([\d.]+))(?::(\d+))?$/.exec(
    text,
  ) as RegExpExecArray
  return { address: String(plain), port: Number(port) }
}
