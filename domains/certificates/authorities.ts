// The authorities that certificates are ordered from, each with the limiter of its account.
import type { Issuer } from './issuer.ts'
import type { OrderLimiter } from './limiter.ts'

export interface Authority {
  issuer: Issuer
  limiter: OrderLimiter
}

/** Undefined for a former authority. */
export function authorityNamed(authorities: readonly Authority[], directoryUrl: string | undefined) {
  return authorities.find(({ issuer }) => issuer.authority === directoryUrl)
}
