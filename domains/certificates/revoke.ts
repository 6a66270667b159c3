// Revokes the stored certificate of a domain at the authority that issued it.
import type { CertificateCache } from './cache.ts'
import { certifies, originOf } from './certificate.ts'
import type { Issuer, RevocationReason } from './issuer.ts'

const TIMEOUT_MS = 30_000

/** @returns false if there is no certificate @throws IssueError */
export type Revoke = (host: string, reason: RevocationReason) => Promise<boolean>

/** @param issuerAt the issuer with this directory URL; the present one if it is undefined */
export function revoker(issuerAt: (authority: string | undefined) => Issuer, certificates: CertificateCache): Revoke {
  return async (host, reason) => {
    const pem = (await certificates.loadCertificate(host)) ?? ''
    if (!certifies(pem, host)) return false
    await issuerAt(originOf(pem).authority).revoke(host, pem, reason, AbortSignal.timeout(TIMEOUT_MS))
    await certificates.saveCertificate(host, '') // never to be served again
    return true
  }
}
