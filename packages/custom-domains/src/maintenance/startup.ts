// Prepares the domains at a start: the platform's own, and those with a certificate of a former authority.
import { type Domain, type DomainName, newDomain } from '../state/domain.ts'
import type { DomainState } from '../state/domain-state.ts'
import { authorityNamed, type CertificateAuthority } from './certificate-authority.ts'

/**
 * Adds the platform's own domain, before the others and due at once, and drops a former one.
 * @param name undefined where no certificate can be issued for it
 */
export async function adoptPlatform(state: DomainState, name: DomainName | undefined, now: Date): Promise<void> {
  const { domains } = state.current()
  const hosts = [...domains.values()].filter(({ isPlatform }) => isPlatform).map((domain) => domain.name.host)
  if (hosts.join() === (name?.host ?? '')) return
  await state.apply(({ domains }) => {
    const stored = name && domains.get(name.host)
    const others = [...domains].filter(([host, { isPlatform }]) => !isPlatform && host !== name?.host)
    domains.clear()
    if (name) domains.set(name.host, { ...(stored ?? newDomain(name, 'verifying', now)), isPlatform: true })
    for (const [host, domain] of others) domains.set(host, domain)
  })
}

/** A certificate of a former authority is served until it has been replaced, which is due at once. */
export async function replaceForeignCertificates(
  state: DomainState,
  authorities: readonly CertificateAuthority[],
  now: Date,
): Promise<void> {
  const foreign = [...state.current().domains.values()].filter(({ certificate, reissueAt }) => {
    const isForeign = certificate?.authority !== undefined && !authorityNamed(authorities, certificate.authority)
    return isForeign && reissueAt === undefined
  })
  if (foreign.length === 0) return
  await state.apply(({ domains }) => {
    for (const domain of foreign) domains.set(domain.name.host, { ...domain, reissueAt: now.toISOString() })
  })
}

/** The stored certificate of a live domain cannot be used: until there is another one, the domain is not served. */
export async function orderAnother(state: DomainState, broken: Domain, now: Date): Promise<void> {
  await state.apply(({ domains }) => {
    const { host } = broken.name
    if (domains.get(host) === broken) domains.set(host, { ...broken, state: 'verifying', reissueAt: now.toISOString() })
  })
}
