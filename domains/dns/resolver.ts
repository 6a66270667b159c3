// Asks the DNS, and tells "there is no such record" from "there was no answer".
import { type CaaRecord, type MxRecord, promises } from 'node:dns'

export interface ResolverOptions {
  /** Addresses such as `127.0.0.1:5353`; none means those of the system. */
  servers?: readonly string[]
  /** How long a server is given for an answer. */
  timeoutMs?: number
  /** How often each server is asked. */
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

/** The records of a name, followed through its CNAME: empty when there are none. @throws NoAnswer */
export type Lookup = <Type extends keyof Records>(host: string, type: Type) => Promise<Records[Type][]>

/** A failure, a refusal or silence: whether there are records is not known. */
export class NoAnswer extends Error {
  readonly host: string

  constructor(host: string, cause: unknown) {
    super(`the DNS gave no answer about ${host}`, { cause })
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
      throw new NoAnswer(host, error)
    }
  }
}
