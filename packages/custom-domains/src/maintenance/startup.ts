// Prepares the domains at a start: the platform's own, and the certificates of those that were live.
import type { CertificateCache } from '../certificates/cache.ts'
import { faultOf } from '../certificates/certificate.ts'
import { type Domain, type DomainName, type IssuedCertificate, newDomain } from '../state/domain.ts'
import type { DomainState } from '../state/domain-state.ts'
import { authorityNamed, type CertificateAuthority } from './certificate-authority.ts'

/** Renewal windows are checked within this time of a start, a few at a time. */
const SOON_MS = 10 * 60_000

/**
 * Adds the platform's own domain, before the others and due at once, and drops a former one.
 * @param name undefined where no certificate can be issued for it
 */
export async function adoptPlatform(state: DomainState, name: DomainName | undefined, now: Date): Promise<void> {
  const { domains } = state.current()
  const hosts = [...domains.values()].filter(({ isPlatform }) => isPlatform).map((domain) => domain.name.host)
  if (hosts.join() === (name?.host ?? '')) return
  await state.apply((draft) => {
    const known = name && draft.domains.get(name.host)
    const others = [...draft.domains].filter(([host, { isPlatform }]) => !isPlatform && host !== name?.host)
    draft.domains.clear()
    if (name) draft.domains.set(name.host, { ...(known ?? newDomain(name, 'verifying', now)), isPlatform: true })
    for (const [host, domain] of others) draft.domains.set(host, domain)
  })
}

export interface RestoreOptions {
  state: DomainState
  certificates: CertificateCache
  /** Those that certificates are now ordered from. */
  authorities: readonly CertificateAuthority[]
  now: Date
}

export interface BrokenCertificate {
  domain: string
  reason: string
}

/**
 * Loads the certificate of each live domain. A missing or broken one is ordered again immediately. So is one of a former
 * authority, which is served until it has been replaced.
 * @returns the missing and broken ones
 */
export async function restoreCertificates(
  { state, certificates, authorities, now }: RestoreOptions,
  use: (host: string, pem: string) => void,
): Promise<BrokenCertificate[]> {
  const broken: BrokenCertificate[] = []
  await checkRenewalsSoon(state, now)
  for (const [host, domain] of state.current().domains) {
    const change = (changes: Partial<Domain>) =>
      state.apply(({ domains }) => domains.set(host, { ...(domains.get(host) as Domain), ...changes }))
    const { certificate, reissueAt } = domain
    const isForeign = certificate?.authority !== undefined && !authorityNamed(authorities, certificate.authority)
    if (isForeign && reissueAt === undefined) await change({ reissueAt: now.toISOString() })
    if (domain.state !== 'live') continue
    const pem = await certificates.loadCertificate(host)
    const reason = pem === undefined ? 'it is missing' : faultOf(pem, host)
    if (pem !== undefined && reason === undefined) {
      use(host, pem)
      continue
    }
    broken.push({ domain: host, reason: String(reason) })
    await change({ state: 'verifying', reissueAt: now.toISOString() })
  }
  return broken
}

/** An authority may have announced a revocation while the server was down. */
async function checkRenewalsSoon(state: DomainState, now: Date): Promise<void> {
  const soon = new Date(now.getTime() + SOON_MS).toISOString()
  const late = [...state.current().domains.values()].flatMap(({ name, certificate }) =>
    (certificate?.renewal?.checkAt ?? '') > soon ? [name.host] : [],
  )
  if (late.length === 0) return
  await state.apply(({ domains }) => {
    for (const [index, host] of late.entries()) {
      const domain = domains.get(host) as Domain
      const { renewal, ...certificate } = domain.certificate as Required<IssuedCertificate>
      const checkAt = new Date(now.getTime() + (SOON_MS * index) / late.length).toISOString()
      domains.set(host, { ...domain, certificate: { ...certificate, renewal: { ...renewal, checkAt } } })
    }
  })
}
