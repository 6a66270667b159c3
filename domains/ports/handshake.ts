// TLS handshakes: each name gets the certificate of its host, and only while that host is live.
import type { SecureContext, TlsOptions } from 'node:tls'
import { secureContextOf } from '../certificates/certificate.ts'
import type { Snapshot } from '../state/domain-state.ts'
import { isLive, normalise } from './routing.ts'

export interface Handshake {
  /** Serves this certificate for the host from now on. */
  useCertificate(host: string, pem: string): void
  SNICallback: NonNullable<TlsOptions['SNICallback']>
}

/** There is no default certificate: an unknown name gets an alert. */
export function handshake(snapshot: () => Snapshot): Handshake {
  const contexts = new Map<string, SecureContext>()
  return {
    useCertificate(host, pem) {
      contexts.set(host, secureContextOf(pem))
    },
    SNICallback(name, done) {
      const host = normalise(name)
      done(null, host !== undefined && isLive(host, snapshot()) ? contexts.get(host) : undefined)
    },
  }
}
