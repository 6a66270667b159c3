// Revokes the stored certificate of a domain at the authority that issued it.
import { type Authority, authorityNamed } from './authorities.ts'
import type { CertificateCache } from './cache.ts'
import { certifies, originOf } from './certificate.ts'
import type { Issuer, RevocationReason } from './issuer.ts'

const TIMEOUT_MS = 30_000

/** @returns false if there is no certificate @throws IssueError */
export type Revoke = (host: string, reason: RevocationReason) => Promise<boolean>

/** @param formerAt the issuer with this directory URL, which is none of the present ones */
export function revoker(
  formerAt: (directoryUrl: string) => Issuer,
  authorities: readonly [Authority, ...Authority[]],
  certificates: CertificateCache,
): Revoke {
  function issuerOf(pem: string): Issuer {
    const { authority = authorities[0].issuer.authority } = originOf(pem)
    return authorityNamed(authorities, authority)?.issuer ?? formerAt(authority)
  }
  return async (host, reason) => {
    const pem = (await certificates.loadCertificate(host)) ?? ''
    if (!certifies(pem, host)) return false
    await issuerOf(pem).revoke(host, pem, reason, AbortSignal.timeout(TIMEOUT_MS))
    await certificates.saveCertificate(host, '') // never to be served again
    return true
  }
}
