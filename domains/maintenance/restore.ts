// Serves the domains that were live before a restart.
import type { CertificateCache } from '../certificates/cache.ts'
import { certifies } from '../certificates/certificate.ts'
import type { DomainState } from '../state/domain-state.ts'

/** Uses the certificate of each live domain. A domain whose certificate is missing or broken is due again at once. */
export async function restoreCertificates(
  state: DomainState,
  certificates: CertificateCache,
  use: (host: string, pem: string) => void,
): Promise<void> {
  for (const [host, domain] of state.current().domains) {
    if (domain.state !== 'live') continue
    const pem = await certificates.loadCertificate(host)
    if (pem !== undefined && certifies(pem, host)) use(host, pem)
    else await state.commit(({ domains }) => domains.set(host, { ...domain, state: 'verifying' }))
  }
}
