// Revokes certificates of domains at the authorities that issued them.
import type { CertificateCache } from './cache.ts'
import { keyIdOf, originOf, readLeaf, withoutKey } from './certificate.ts'
import type { Issuer, RevocationReason } from './issuer.ts'

const TIMEOUT_MS = 30_000

/** A certificate that can be revoked, even again. */
export interface Revocable {
  /** Save it as revoked before calling the authority, so that no instance uses it again. */
  keyId: string
  notAfter: string
  /** Without its private key: kept until the authority has revoked it. */
  certificate: string
}

export interface Revoker {
  /** The stored certificate of a host, if any. */
  find(host: string): Promise<Revocable | undefined>
  /**
   * Also deletes the private key, if that is still stored.
   * @param certificate as `find` has returned it
   * @throws IssueError
   */
  revoke(host: string, certificate: string, reason: RevocationReason): Promise<void>
}

/** @param issuerAt the issuer with this directory URL, or the present one for a certificate from before it was recorded */
export function revoker(
  issuerAt: (directoryUrl: string | undefined) => Issuer,
  certificates: Pick<CertificateCache, 'loadIssued' | 'deleteKey'>,
): Revoker {
  return {
    async find(host) {
      const pem = (await certificates.loadIssued(host)) ?? ''
      const leaf = readLeaf(pem)
      if (!leaf?.hosts.includes(host)) return undefined
      return { keyId: keyIdOf(pem), notAfter: leaf.notAfter, certificate: withoutKey(pem) }
    },
    async revoke(host, certificate, reason) {
      const stored = await certificates.loadIssued(host).catch(() => undefined)
      // Tried again whenever it is loaded.
      if (stored && withoutKey(stored) === certificate) await certificates.deleteKey(host, stored).catch(() => {})
      const issuer = issuerAt(originOf(certificate).authority)
      await issuer.revoke(host, certificate, reason, AbortSignal.timeout(TIMEOUT_MS))
    },
  }
}
