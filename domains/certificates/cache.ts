// The certificate cache: a certificate that could not be saved stays in memory until it is, not to be issued twice.
import type { DomainStorage } from '../state/storage.ts'

export type CertificateCache = Pick<DomainStorage, 'loadCertificate' | 'saveCertificate' | 'loadOrder' | 'saveOrder'>

export function certificateCache(storage: CertificateCache): CertificateCache {
  const unsaved = new Map<string, string>()

  async function saveCertificate(host: string, pem: string) {
    unsaved.set(host, pem)
    await storage.saveCertificate(host, pem)
    unsaved.delete(host)
  }

  return {
    ...storage,
    saveCertificate,
    async loadCertificate(host) {
      const pem = unsaved.get(host)
      if (pem === undefined) return storage.loadCertificate(host)
      await saveCertificate(host, pem)
      return pem
    },
  }
}
