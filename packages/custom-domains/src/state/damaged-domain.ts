// Takes the place of a domain whose record is damaged, until that is repaired or overwritten.
import type { Domain, IssuedCertificate } from './domain.ts'

export interface StandInOptions {
  /** Makes a new domain. @throws if there can be none */
  create(host: string): Domain
  /** The stored certificate of a host, if TLS can use it. */
  certificateOf?: ((host: string) => Promise<IssuedCertificate | undefined>) | undefined
}

/** Live while its certificate is valid. @returns undefined where the name is only that of a file */
export async function damagedDomain(
  host: string,
  detail: string,
  { create, certificateOf }: StandInOptions,
): Promise<Domain | undefined> {
  let domain: Domain
  try {
    domain = { ...create(host), state: 'failed', problem: { code: 'record_damaged', detail } }
  } catch {
    return undefined
  }
  const certificate = await certificateOf?.(host)
  return certificate && certificate.notAfter > domain.addedAt ? { ...domain, state: 'live', certificate } : domain
}
