// The name of a domain, and a DNS record.
import { domainToASCII } from 'node:url'

/** A domain name once parsed: `host` is lower-case ASCII without a trailing dot. */
export interface DomainName {
  host: string
  kind: 'subdomain' | 'apex'
  /** The registrable domain: `example.com` of `docs.example.com`. */
  zone: string
  /** The part before the zone, `docs`, or `@` for the apex itself. */
  label: string
}

/** The host of a domain as users write it; empty if it cannot be a domain. */
export function hostOf(typed: string): string {
  return domainToASCII(typed.trim()).replace(/\.$/, '')
}

/** True for the zone itself and all names below it. */
export function isWithin(host: string, zone: string): boolean {
  return host === zone || host.endsWith(`.${zone}`)
}

/** A record as DNS providers show it. */
export interface DnsRecord {
  type: string
  value: string
}
