// The DNS record that a domain requires.
import type { DomainName } from '../state/domain.ts'

export interface RequiredRecord {
  type: 'CNAME' | 'ALIAS'
  /** The label before the zone, or `@`. */
  name: string
  value: string
  /** Seconds. */
  ttl: number
  /** Advice about this type of record; empty when there is none. */
  note: string
}

const apexNote =
  'An apex domain cannot have a CNAME record. Some DNS providers call ALIAS records ANAME. If your provider supports ' +
  'neither, use a subdomain.'

/** @param target the platform's CNAME target */
export function recordFor({ kind, label }: DomainName, target: string): RequiredRecord {
  const record = { name: label, value: target, ttl: 3600 }
  if (kind === 'subdomain') return { type: 'CNAME', ...record, note: '' }
  return { type: 'ALIAS', ...record, note: apexNote }
}
