// The DNS record that a domain requires, and records in words.
import type { DnsRecord, DomainName } from '../domain-name.ts'

/** The DNS record to create. */
export interface RequiredRecord {
  type: 'CNAME' | 'ALIAS'
  /** The label before the registrable domain, or `@`. */
  name: string
  value: string
  /** Seconds. */
  ttl: number
  /** Remarks on this record; may be empty. */
  note: string
}

export interface ProofRecord {
  type: 'TXT'
  name: string
  value: string
  /** Seconds. */
  ttl: number
  isFound: boolean
}

interface Provable {
  name: DomainName
  proof?: { token: string; provenAt?: string }
}

const PROOF_LABEL = '_custom-domains'

const apexNote =
  'An apex domain cannot have a CNAME record. Some DNS providers call ALIAS records ANAME. If your provider supports ' +
  'neither, use a subdomain.'

/** @param target the platform's CNAME target */
export function recordFor({ kind, label }: DomainName, target: string): RequiredRecord {
  const record = { name: label, value: target, ttl: 3600 }
  if (kind === 'subdomain') return { type: 'CNAME', ...record, note: '' }
  return { type: 'ALIAS', ...record, note: apexNote }
}

/** The TXT record that proves the ownership. @returns undefined where none is required */
export function proofRecordFor({ name, proof }: Provable): ProofRecord | undefined {
  if (!proof) return undefined
  const label = name.kind === 'apex' ? PROOF_LABEL : `${PROOF_LABEL}.${name.label}`
  return { type: 'TXT', name: label, value: proof.token, ttl: 3600, isFound: proof.provenAt !== undefined }
}

/** The host with that record. */
export const proofHost = (host: string) => `${PROOF_LABEL}.${host}`

/** `no record`, or `the A record 192.0.2.1 and the A record 192.0.2.2` */
export function phraseOf(records: readonly DnsRecord[]): string {
  return records.map(({ type, value }) => `the ${type} record ${value}`).join(' and ') || 'no record'
}
