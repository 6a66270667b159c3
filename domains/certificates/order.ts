// Orders in progress: stored with their key until the certificate is, so that none is ordered twice.
import type { Domain } from '../state/domain.ts'
import type { CertificateCache } from './cache.ts'
import { originOf } from './certificate.ts'

export interface PendingOrder {
  /** The directory URL of the authority. */
  authority: string
  url: string
  /** The private key of the certificate, as PEM. */
  key: string
  begunAt: string
}

/** Undefined for an order from before the last certificate or the present request. */
export async function loadOrder(
  { name: { host }, reissueAt = '' }: Domain,
  certificates: CertificateCache,
): Promise<PendingOrder | undefined> {
  const order = parse(await certificates.loadOrder(host))
  if (order === undefined) return undefined
  const { issuedAt = '' } = originOf((await certificates.loadCertificate(host)) ?? '')
  return order.begunAt > issuedAt && order.begunAt >= reissueAt ? order : undefined
}

function parse(text = ''): PendingOrder | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
