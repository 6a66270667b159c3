// TLS handshakes: each name gets the certificate of its host, and only while that host is live.
import { randomBytes } from 'node:crypto'
import type { SecureContext, Server, TlsOptions } from 'node:tls'
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

/**
 * Replaces the keys that session tickets are encrypted with: who learns one can read little of what was recorded. A
 * ticket of former keys, or of another instance, leads to a full handshake (RFC 8446, section 4.2.11).
 * @returns a function that ends it
 */
export function rotateTicketKeys(server: Server, everyMs: number): () => void {
  const timer = setInterval(() => server.setTicketKeys(randomBytes(48)), everyMs).unref()
  return () => clearInterval(timer)
}
