// A certificate authority that certificates are ordered from.
import type { Issuer } from '../certificates/issuer.ts'
import type { OrderLimiter } from './order-limiter.ts'

export interface CertificateAuthority {
  issuer: Issuer
  limiter: OrderLimiter
  /** The URL of the account there; undefined before it is registered. */
  account(): string | undefined
}

/** Undefined for a former authority. */
export function authorityNamed(authorities: readonly CertificateAuthority[], directoryUrl: string | undefined) {
  return authorities.find(({ issuer }) => issuer.authority === directoryUrl)
}
