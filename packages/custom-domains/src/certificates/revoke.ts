// Revokes the stored certificate of a domain at the authority that issued it.
import type { CertificateCache } from './cache.ts'
import { keyIdOf, originOf, readLeaf } from './certificate.ts'
import type { Issuer, RevocationReason } from './issuer.ts'

const TIMEOUT_MS = 30_000

/** A stored certificate that can be revoked, even again. */
export interface Revocable {
  /** Save it as revoked before calling the authority, so that no instance uses it again. */
  keyId: string
  notAfter: string
  /** @throws IssueError */
  revoke(reason: RevocationReason): Promise<void>
}

export type FindRevocable = (host: string) => Promise<Revocable | undefined>

/** @param issuerAt the issuer with this directory URL, or the present one for a certificate from before it was recorded */
export function revoker(
  issuerAt: (directoryUrl: string | undefined) => Issuer,
  certificates: Pick<CertificateCache, 'loadIssued' | 'deleteKey'>,
): FindRevocable {
  return async (host) => {
    const pem = (await certificates.loadIssued(host)) ?? ''
    const leaf = readLeaf(pem)
    if (!leaf?.hosts.includes(host)) return undefined
    return {
      keyId: keyIdOf(pem),
      notAfter: leaf.notAfter,
      async revoke(reason) {
        await certificates.deleteKey(host, pem).catch(() => {}) // tried again whenever it is loaded
        await issuerAt(originOf(pem).authority).revoke(host, pem, reason, AbortSignal.timeout(TIMEOUT_MS))
      },
    }
  }
}
