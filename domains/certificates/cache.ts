// Certificates as they are kept. One that could not be saved is not lost, and costs no second order.
import type { DomainStorage } from '../state/storage.ts'

export type Certificates = Pick<DomainStorage, 'loadCertificate' | 'saveCertificate'>

export function keptCertificates(storage: Certificates): Certificates {
  const unsaved = new Map<string, string>()

  async function saveCertificate(host: string, pem: string) {
    unsaved.set(host, pem)
    await storage.saveCertificate(host, pem)
    unsaved.delete(host)
  }

  return {
    saveCertificate,
    async loadCertificate(host) {
      const pem = unsaved.get(host)
      if (pem === undefined) return storage.loadCertificate(host)
      await saveCertificate(host, pem)
      return pem
    },
  }
}
