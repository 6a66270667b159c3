// Takes the place of a domain whose record is damaged, until that is repaired or overwritten.
import type { Domain, IssuedCertificate } from './domain.ts'
import type { StoredRecord } from './storage.ts'

export interface StandInOptions {
  /** Makes a new domain. @throws if there can be none */
  create(host: string): Domain
  /** The stored certificate of a host, if TLS can use it. */
  certificateOf?: ((host: string) => Promise<IssuedCertificate | undefined>) | undefined
}

/**
 * Live while its certificate is valid. Keeps the owner and the proof, if the record still has them.
 * @returns undefined where the name is only that of a file
 */
export async function damagedDomain(
  { name: host, value }: StoredRecord,
  detail: string,
  { create, certificateOf }: StandInOptions,
): Promise<Domain | undefined> {
  let domain: Domain
  try {
    domain = { ...create(host), ...ownershipIn(value), state: 'failed', problem: { code: 'record_damaged', detail } }
  } catch {
    return undefined
  }
  const certificate = await certificateOf?.(host)
  return certificate && certificate.notAfter > domain.addedAt ? { ...domain, state: 'live', certificate } : domain
}

/** If the owner and the proof are lost, nobody else gets the domain: no claim has its owner, only a proof can be disputed. */
function ownershipIn(value: unknown): Partial<Domain> {
  const { owner, target, data, proof } = { ...(value as Partial<Domain> | undefined) }
  return {
    ...(typeof owner === 'string' && { owner }),
    ...(typeof target === 'string' && { target }),
    ...(data !== undefined && { data }),
    ...(typeof proof?.token === 'string' && { proof }),
  }
}
