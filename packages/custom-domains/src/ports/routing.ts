// Decides the response to a request on the domains' ports: pure, without sockets.
import { splitTarget } from 'http-edge/protocols'
import type { Snapshot } from '../state/snapshot.ts'

export type Decision =
  | { kind: 'challenge'; keyAuthorization: string }
  /** `canonical` is the URL of the page (RFC 6596): at a custom domain, there; at the platform, at its canonical host. */
  | { kind: 'serve'; canonical?: string }
  | { kind: 'redirect'; status: number; location: string }
  /**
   * 421: this server is not authoritative for that host (RFC 9110, section 15.5.20). 501: over HTTP/2, a method can be any
   * token, and routers know those of HTTP/1.1 alone.
   */
  | { kind: 'error'; status: 400 | 404 | 421 | 501 | 503 }

export interface RequestTarget {
  /** The values of all Host headers. */
  hosts: readonly string[]
  /** The target in the request line, in origin form or absolute form (RFC 9112, section 3.2). */
  url: string
  isSecure: boolean
  /** The SNI name. Unknown without TLS. */
  serverName?: string | undefined
}

export interface RoutingTable {
  snapshot: Snapshot
  /** Hosts that are always served: without TLS, only until they have a certificate. */
  platformHosts: readonly string[]
  /** The host whose pages the platform serves copies of. */
  canonicalHost?: string | undefined
  /** Key authorizations by challenge token (RFC 8555, section 8.3). */
  challenges: ReadonlyMap<string, string>
  /** False while another instance may have added or removed a domain without this one knowing. */
  isCurrent: boolean
}

const CHALLENGE_PATH = '/.well-known/acme-challenge/'

export function decide(
  { hosts, url, isSecure, serverName }: RequestTarget,
  { snapshot, platformHosts, canonicalHost, challenges, isCurrent }: RoutingTable,
): Decision {
  const { authority, path: rawPath } = splitTarget(url)
  const path = rooted(rawPath)
  const token = challengeToken(url)
  const keyAuthorization = challenges.get(token ?? '') // with TLS, too: authorities may follow redirects there
  if (keyAuthorization !== undefined) return { kind: 'challenge', keyAuthorization }
  if (token !== undefined && !isSecure) return { kind: 'error', status: 404 }
  if (hosts.length > 1) return { kind: 'error', status: 400 }
  const host = normalize(authority ?? hosts[0] ?? '')
  if (host === undefined) return { kind: 'error', status: 400 }
  if (serverName !== undefined && host !== normalize(serverName)) return { kind: 'error', status: 421 }
  const isPlatform = platformHosts.includes(host)
  if (isPlatform && (isSecure || !isLive(host, snapshot))) {
    const isCopy = canonicalHost !== undefined && isLive(canonicalHost, snapshot)
    return { kind: 'serve', ...(isCopy && { canonical: canonicalOf(canonicalHost, path) }) }
  }
  if (!isCurrent && !isPlatform) return { kind: 'error', status: 503 }
  if (!isLive(host, snapshot)) return { kind: 'error', status: 421 }

  const redirect = snapshot.redirects.get(host)
  if (redirect && isLive(redirect.to, snapshot)) {
    return { kind: 'redirect', status: redirect.status, location: `https://${redirect.to}${path}` }
  }
  if (!isSecure) return { kind: 'redirect', status: 308, location: `https://${host}${path}` }
  return { kind: 'serve', canonical: canonicalOf(host, path) }
}

/** The token of a challenge request (RFC 8555, section 8.3); undefined for any other request. */
export function challengeToken(url: string): string | undefined {
  const path = rooted(splitTarget(url).path)
  return path.startsWith(CHALLENGE_PATH) ? path.slice(CHALLENGE_PATH.length) : undefined
}

export function isLive(host: string, { domains }: Snapshot): boolean {
  return domains.get(host)?.state === 'live'
}

/** The host in lower case, without port and trailing dot; undefined when it is not valid. */
export function normalize(host: string): string | undefined {
  const [, name] = /^([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)\.?(?::\d{1,5})?$/i.exec(host) ?? []
  return name?.toLowerCase()
}

/** The path without the query, and safe within the angle brackets of a Link header (RFC 8288, section 3). */
function canonicalOf(host: string, path: string): string {
  return `https://${host}${path.replace(/[?#].*/s, '').replace(/[<>]/g, encodeURIComponent)}`
}

/** The path with exactly one leading slash, so that no redirect can change the host. */
function rooted(path: string): string {
  return `/${path.replace(/^[/\\]+/, '')}`
}
