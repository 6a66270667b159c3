// Keeps an issued certificate in memory until it has been saved, so that it is never ordered twice, and withholds revoked
// ones: no certificate for a revoked key is ever used again.
import type { Domain, IssuedCertificate } from '../state/domain.ts'
import { ofStorage } from '../state/domain-state.ts'
import type { Snapshot } from '../state/snapshot.ts'
import type { DomainStorage } from '../state/storage.ts'
import { certifies, keyIdOf, originOf, readCertificate, withoutKey } from './certificate.ts'
import type { PendingOrder } from './issuer.ts'

export interface CertificateCache {
  loadCertificate(host: string): Promise<string | undefined>
  saveCertificate(host: string, pem: string): Promise<void>
  /** Revoked certificates are read, too, and may lack their private key. */
  loadIssued(host: string): Promise<string | undefined>
  /** Deletes the private key of a certificate, if that is still the stored one. */
  deleteKey(host: string, pem: string): Promise<void>
  /** Ignores orders that are older than the last certificate, the domain or the current request, and those with a revoked key. */
  loadOrder(domain: Domain): Promise<PendingOrder | undefined>
  /** @param order undefined deletes it */
  saveOrder(host: string, order: PendingOrder | undefined): Promise<void>
  /**
   * Deletes an order that is not needed, if one is stored: of a process that was killed after it had saved the certificate,
   * or from before the domain was removed and added again.
   */
  dropOrder(host: string): Promise<void>
}

/** The stored certificate of a host, if TLS can use it. */
export function storedCertificates(storage: Pick<DomainStorage, 'loadSecret'>) {
  return async (host: string): Promise<IssuedCertificate | undefined> => {
    const pem = await storage.loadSecret('certificate', host).catch(() => undefined)
    if (pem === undefined || !certifies(pem, host)) return undefined
    const { hosts, ...certificate } = readCertificate(pem)
    return certificate
  }
}

export function certificateCache(
  storage: Pick<DomainStorage, 'loadSecret' | 'saveSecret' | 'replaceSecret'>,
  snapshot: () => Pick<Snapshot, 'revoked'>,
): CertificateCache {
  const unsaved = new Map<string, string>()

  async function save(host: string, pem: string) {
    unsaved.set(host, pem)
    await storage.saveSecret('certificate', host, pem)
    unsaved.delete(host)
  }

  async function loadIssued(host: string) {
    return unsaved.get(host) ?? (await storage.loadSecret('certificate', host))
  }

  function isRevoked(pem: string): boolean {
    const { revoked } = snapshot()
    if (revoked.size === 0) return false
    try {
      return revoked.has(keyIdOf(pem))
    } catch {
      return false
    }
  }

  async function deleteKey(host: string, pem: string) {
    if (unsaved.get(host) === pem) unsaved.delete(host)
    const kept = withoutKey(pem)
    if (kept !== pem) await storage.replaceSecret('certificate', host, pem, kept)
  }

  async function load(host: string) {
    const pem = await loadIssued(host)
    if (pem !== undefined && isRevoked(pem)) {
      await deleteKey(host, pem).catch(() => {}) // where that failed when it was revoked
      return undefined
    }
    if (pem !== undefined && unsaved.has(host)) await save(host, pem)
    return pem
  }

  return {
    loadCertificate: (host) => ofStorage(load(host)),
    saveCertificate: (host, pem) => ofStorage(save(host, pem)),
    loadIssued,
    deleteKey,
    async loadOrder({ name: { host }, addedAt, reissueAt = '' }) {
      const order = parseOrder(await ofStorage(storage.loadSecret('order', host)))
      if (order === undefined || isRevoked(order.key)) return undefined
      const { issuedAt = '' } = originOf((await ofStorage(load(host))) ?? '')
      return order.begunAt > issuedAt && order.begunAt >= addedAt && order.begunAt >= reissueAt ? order : undefined
    },
    saveOrder: (host, order) => ofStorage(storage.saveSecret('order', host, order && JSON.stringify(order))),
    async dropOrder(host) {
      if ((await storage.loadSecret('order', host)) !== undefined) await storage.saveSecret('order', host, undefined)
    },
  }
}

function parseOrder(text = ''): PendingOrder | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
