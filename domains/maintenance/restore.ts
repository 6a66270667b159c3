// Serves the domains that were live before a restart.
import { type Authority, authorityNamed } from '../certificates/authorities.ts'
import type { CertificateCache } from '../certificates/cache.ts'
import { certifies } from '../certificates/certificate.ts'
import type { Domain } from '../state/domain.ts'
import type { DomainState } from '../state/domain-state.ts'

export interface RestoreOptions {
  state: DomainState
  certificates: CertificateCache
  /** Those that certificates are now ordered from. */
  authorities: readonly Authority[]
  now: Date
}

/**
 * Uses the certificate of each live domain. A domain whose certificate is missing or broken is due again at once; one
 * whose certificate is from a former authority as well, and is served until it has another.
 */
export async function restoreCertificates(
  { state, certificates, authorities, now }: RestoreOptions,
  use: (host: string, pem: string) => void,
): Promise<void> {
  for (const [host, domain] of state.current().domains) {
    const change = (changes: Partial<Domain>) =>
      state.apply(({ domains }) => domains.set(host, { ...(domains.get(host) as Domain), ...changes }))
    const { certificate, reissueAt } = domain
    const isForeign = certificate?.authority !== undefined && !authorityNamed(authorities, certificate.authority)
    if (isForeign && reissueAt === undefined) await change({ reissueAt: now.toISOString() })
    if (domain.state !== 'live') continue
    const pem = await certificates.loadCertificate(host)
    if (pem !== undefined && certifies(pem, host)) use(host, pem)
    else await change({ state: 'verifying' })
  }
}
