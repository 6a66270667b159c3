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
  /**
   * The latest first, one of each authority. Ignores those that are older than the last certificate, the domain or the
   * current request, and those with a revoked key.
   */
  loadOrders(domain: Domain): Promise<PendingOrder[]>
  /** Replaces the one of the same authority. */
  saveOrder(host: string, order: PendingOrder): Promise<void>
  /** Deletes the one of an authority, or all: a killed process leaves some that are no longer needed. */
  dropOrders(host: string, authority?: string): Promise<void>
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

  const storedOrders = async (host: string) => parseOrders(await ofStorage(storage.loadSecret('order', host)))

  const saveOrders = (host: string, orders: readonly PendingOrder[]) =>
    ofStorage(storage.saveSecret('order', host, orders.length === 0 ? undefined : JSON.stringify(orders)))

  return {
    loadCertificate: (host) => ofStorage(load(host)),
    saveCertificate: (host, pem) => ofStorage(save(host, pem)),
    loadIssued,
    deleteKey,
    async loadOrders({ name: { host }, addedAt, reissueAt = '' }) {
      const orders = await storedOrders(host)
      if (orders.length === 0) return []
      const { issuedAt = '' } = originOf((await ofStorage(load(host))) ?? '')
      const isNeeded = ({ begunAt, key }: PendingOrder) =>
        begunAt > issuedAt && begunAt >= addedAt && begunAt >= reissueAt && !isRevoked(key)
      return orders.filter(isNeeded)
    },
    async saveOrder(host, order) {
      const others = (await storedOrders(host)).filter(({ authority }) => authority !== order.authority)
      await saveOrders(host, [order, ...others])
    },
    async dropOrders(host, authority) {
      const orders = await storedOrders(host)
      const others = orders.filter((order) => authority !== undefined && order.authority !== authority)
      if (others.length < orders.length) await saveOrders(host, others)
    },
  }
}

/** @returns none if they cannot be read: then others are placed */
function parseOrders(text = '[]'): PendingOrder[] {
  try {
    return [JSON.parse(text)].flat() // the last release stored a single order
  } catch {
    return []
  }
}
