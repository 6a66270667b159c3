// DNS lookups that tell "no such record" from "no answer".
import { type CaaRecord, type MxRecord, promises } from 'node:dns'

export interface ResolverOptions {
  /** Addresses such as `127.0.0.1:5353`. Default: the system's. */
  servers?: readonly string[]
  /** Timeout of a single query. */
  timeoutMs?: number
  /** Queries per server. */
  tries?: number
}

interface Records {
  A: string
  AAAA: string
  CNAME: string
  NS: string
  MX: MxRecord
  TXT: string[]
  CAA: CaaRecord
}

/** The records of a name, CNAMEs followed; empty when there are none. @throws LookupError */
export type Lookup = <Type extends keyof Records>(host: string, type: Type) => Promise<Records[Type][]>

/** SERVFAIL, REFUSED or a timeout: it is unknown if the records exist. */
export class LookupError extends Error {
  readonly host: string

  constructor(host: string, cause: unknown) {
    super(`no answer from DNS for ${host}`, { cause })
    this.host = host
  }
}

const absent = new Set(['ENODATA', 'ENOTFOUND'])

export function dnsLookup({ servers = [], timeoutMs = 3000, tries = 2 }: ResolverOptions): Lookup {
  const resolver = new promises.Resolver({ timeout: timeoutMs, tries })
  if (servers.length > 0) resolver.setServers(servers)
  return async <Type extends keyof Records>(host: string, type: Type) => {
    try {
      return (await resolver.resolve(host, type)) as Records[Type][]
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code as string)) return []
      throw new LookupError(host, error)
    }
  }
}
