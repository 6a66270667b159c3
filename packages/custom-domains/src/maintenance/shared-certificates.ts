// For instances that share the state: serves certificates that others obtained, and shares pending challenges.
import type { CertificateCache } from '../certificates/cache.ts'
import { certifies } from '../certificates/certificate.ts'
import type { DomainState } from '../state/domain-state.ts'

/** @returns a function that uses the certificate of each live domain that was not used yet */
export function sharedCertificates(
  state: DomainState,
  certificates: Pick<CertificateCache, 'loadCertificate'>,
  use: (host: string, pem: string) => void,
): () => Promise<void> {
  const used = new Map<string, string>()
  let isRunning = false

  async function useNew() {
    for (const [host, domain] of state.current().domains) {
      const { issuedAt, certificate } = domain
      const version = `${issuedAt} ${certificate?.notBefore} ${certificate?.notAfter}`
      if (domain.state !== 'live' || used.get(host) === version) continue
      const pem = await certificates.loadCertificate(host)
      if (pem === undefined || !certifies(pem, host)) continue
      use(host, pem)
      used.set(host, version)
    }
  }

  return async () => {
    if (isRunning) return
    isRunning = true
    await useNew().finally(() => {
      isRunning = false
    })
  }
}

/** Challenges are part of the state, and presented once every instance can respond. */
export function sharedChallenges(state: DomainState) {
  return {
    async set(token: string, keyAuthorization: string): Promise<void> {
      await state.commit(({ challenges }) => challenges.set(token, keyAuthorization))
      await state.whenAcknowledged()
    },
    delete: (token: string) => state.apply(({ challenges }) => challenges.delete(token)),
  }
}
