// What a request to a domain's ports is answered with. Pure: nothing here knows a socket.
import type { Domains } from '../state/domain-state.ts'

export type Decision =
  | { kind: 'challenge'; keyAuthorization: string }
  /** `canonical` is the address of the same at the primary domain, RFC 6596. */
  | { kind: 'serve'; canonical?: string }
  | { kind: 'redirect'; status: number; location: string }
  /** 421: this server does not answer for that host, RFC 9110 15.5.20. */
  | { kind: 'refuse'; status: 400 | 404 | 421 }

export interface Target {
  /** The values of all Host headers. */
  hosts: readonly string[]
  /** As the request line has it, in origin form or in absolute form (RFC 9112 3.2). */
  url: string
  /** The name that TLS was set up for; undefined without TLS. */
  serverName: string | undefined
}

export interface Sites {
  domains: Domains
  /** Hosts that are served whatever the domains are. */
  platformHosts: readonly string[]
  /** Key authorizations by challenge token, RFC 8555 8.3. */
  challenges: ReadonlyMap<string, string>
}

const CHALLENGE_PATH = '/.well-known/acme-challenge/'

export function decide({ hosts, url, serverName }: Target, { domains, platformHosts, challenges }: Sites): Decision {
  const { authority, path } = splitTarget(url)
  if (serverName === undefined && path.startsWith(CHALLENGE_PATH)) {
    const keyAuthorization = challenges.get(path.slice(CHALLENGE_PATH.length))
    return keyAuthorization === undefined ? { kind: 'refuse', status: 404 } : { kind: 'challenge', keyAuthorization }
  }
  if (hosts.length > 1) return { kind: 'refuse', status: 400 }
  const host = normalise(authority ?? hosts[0] ?? '')
  if (host === undefined) return { kind: 'refuse', status: 400 }
  if (serverName !== undefined && host !== normalise(serverName)) return { kind: 'refuse', status: 421 }
  const { primary } = domains
  if (platformHosts.includes(host)) {
    const isSecond = primary !== undefined && isLive(primary, domains)
    return { kind: 'serve', ...(isSecond && { canonical: `https://${primary}${withoutQuery(path)}` }) }
  }
  if (!isLive(host, domains)) return { kind: 'refuse', status: 421 }

  const status = domains.redirects.get(host)
  if (primary !== undefined && status !== undefined && isLive(primary, domains)) {
    return { kind: 'redirect', status, location: `https://${primary}${path}` }
  }
  if (serverName === undefined) return { kind: 'redirect', status: 308, location: `https://${host}${path}` }
  return { kind: 'serve' }
}

export function isLive(host: string, { domains }: Domains): boolean {
  return domains.get(host)?.state === 'live'
}

/** A host without its port, as domains are kept, or undefined when it is none. */
export function normalise(host: string): string | undefined {
  const [, name] = /^([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)\.?(?::\d{1,5})?$/i.exec(host) ?? []
  return name?.toLowerCase()
}

/** Fit to stand between angle brackets, RFC 8288 3. */
function withoutQuery(path: string): string {
  return path.replace(/[?#].*/s, '').replace(/[<>]/g, encodeURIComponent)
}

/** The path, with one slash before it, and the query: what stands behind a host that is fixed. */
function splitTarget(url: string): { authority?: string; path: string } {
  const [, authority, rest = url] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  const path = `/${rest.replace(/^[/\\]+/, '')}`
  return authority === undefined ? { path } : { authority, path }
}
