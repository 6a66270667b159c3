// TLS handshakes: each name gets the certificate of its host, and only while that host is live.
import { randomBytes } from 'node:crypto'
import { createSecureContext, type SecureContext, type Server, type TlsOptions } from 'node:tls'
import { keyIdOf } from '../certificates/certificate.ts'
import type { Snapshot } from '../state/snapshot.ts'
import { isLive, normalize } from './routing.ts'

export interface Handshake {
  /** Serves this certificate for the host from now on. */
  useCertificate(host: string, pem: string): void
  SNICallback: NonNullable<TlsOptions['SNICallback']>
}

/** The suites of Mozilla's intermediate profile. Node.js still offers CBC and CCM8 for TLS 1.2. */
export const ciphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':')

/** There is no default certificate: an unknown name gets an alert. */
export function handshake(snapshot: () => Snapshot): Handshake {
  const contexts = new Map<string, { context: SecureContext; keyId: string }>()
  return {
    useCertificate(host, pem) {
      const keyId = keyIdOf(pem)
      if (contexts.get(host)?.keyId === keyId) return // each certificate has a key of its own
      contexts.set(host, { context: createSecureContext({ key: pem, cert: pem }), keyId })
    },
    SNICallback(name, done) {
      const host = normalize(name)
      const current = snapshot()
      const found = host !== undefined && isLive(host, current) ? contexts.get(host) : undefined
      done(null, found && !current.revoked.has(found.keyId) ? found.context : undefined)
    },
  }
}

/**
 * Replaces the keys of session tickets, so that a leaked key decrypts little recorded traffic. A ticket with former keys,
 * or from another instance, leads to a full handshake (RFC 8446, section 4.2.11).
 * @returns a function that ends it
 */
export function rotateTicketKeys(server: Server, everyMs: number): () => void {
  const timer = setInterval(() => server.setTicketKeys(randomBytes(48)), everyMs).unref()
  return () => clearInterval(timer)
}
