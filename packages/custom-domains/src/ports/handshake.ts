// TLS handshakes: each name gets the certificate of its host, and only while that host is live. Certificates are loaded at
// the first handshake.
import { constants } from 'node:crypto'
import type { SecureContext, TlsOptions } from 'node:tls'
import { contextFor, keyIdOf } from '../certificates/certificate.ts'
import type { Domain } from '../state/domain.ts'
import type { Snapshot } from '../state/snapshot.ts'
import { isLive, normalize } from './routing.ts'

/** After a failure, the storage is not read again for the same host within this time. */
const RETRY_MS = 1_000

export interface HandshakeOptions {
  snapshot(): Snapshot
  /** Reads the stored certificate, if there is one. */
  load(host: string): Promise<string | undefined>
  /** The stored certificate of a live domain is missing, or TLS cannot use it. */
  onBroken(domain: Domain, reason: string): void
  /** The storage cannot be read. */
  onError(domain: Domain, reason: string): void
  /** How many certificates are kept in memory: those least recently used are loaded again. */
  limit?: number
}

interface Loaded {
  context: SecureContext
  keyId: string
  /** The certificate that the domain had. */
  version: string
}

/** The suites of Mozilla's intermediate profile. Node.js still offers CBC and CCM8 for TLS 1.2. */
export const ciphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':')

/**
 * No session is resumed: with TLS 1.2, Node.js 20 and 22 would not know the name of the handshake. Therefore there are no
 * keys of tickets that could leak. HTTP/2 forbids renegotiation (RFC 9113, section 9.2.1).
 */
export const secureOptions = constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION

/** There is no default certificate: an unknown name gets an alert. */
export function handshake(options: HandshakeOptions): NonNullable<TlsOptions['SNICallback']> {
  const { snapshot, load, onBroken, onError, limit = 1_000 } = options
  /** The contexts by host, the least recently used first. */
  const contexts = new Map<string, Loaded>()
  const loading = new Map<string, Promise<Loaded | undefined>>()

  function keep(host: string, loaded: Loaded): Loaded {
    contexts.delete(host)
    contexts.set(host, loaded)
    const [oldest] = contexts.keys()
    if (contexts.size > limit) contexts.delete(oldest as string)
    return loaded
  }

  async function loadFor(domain: Domain): Promise<Loaded | undefined> {
    const { host } = domain.name
    const pem = await load(host)
    try {
      if (pem === undefined) throw new Error('it is missing')
      return keep(host, { context: contextFor(pem, host), keyId: keyIdOf(pem), version: versionOf(domain) })
    } catch (error) {
      onBroken(domain, (error as Error).message)
      return undefined
    }
  }

  /** A certificate that has been replaced is served until the new one can be read. */
  function begin(domain: Domain): Promise<Loaded | undefined> {
    const { host } = domain.name
    const forget = () => loading.delete(host)
    const loaded = loadFor(domain).then(
      (loaded) => {
        forget()
        return loaded
      },
      (error) => {
        onError(domain, error.message)
        setTimeout(forget, RETRY_MS).unref()
        return contexts.get(host)
      },
    )
    loading.set(host, loaded)
    return loaded
  }

  return (name, done) => {
    const host = normalize(name) ?? ''
    const domain = isLive(host, snapshot()) ? snapshot().domains.get(host) : undefined
    const finish = (loaded: Loaded | undefined) =>
      done(
        null,
        loaded && isLive(host, snapshot()) && !snapshot().revoked.has(loaded.keyId) ? loaded.context : undefined,
      )
    if (!domain) return finish(undefined)
    const cached = contexts.get(host)
    if (cached?.version === versionOf(domain)) return finish(keep(host, cached))
    ;(loading.get(host) ?? begin(domain)).then(finish)
  }
}

function versionOf({ issuedAt, certificate }: Domain): string {
  return `${issuedAt} ${certificate?.notBefore} ${certificate?.notAfter}`
}
