// The DNS record that a domain requires.
import type { DomainName } from '../state/domain.ts'
import type { RequiredRecord } from './types.ts'

const apexNote =
  'An apex domain cannot have a CNAME record. Some DNS providers call ALIAS records ANAME. If your provider supports ' +
  'neither, use a subdomain.'

/** @param target the platform's CNAME target */
export function recordFor({ kind, label }: DomainName, target: string): RequiredRecord {
  const record = { name: label, value: target, ttl: 3600 }
  if (kind === 'subdomain') return { type: 'CNAME', ...record, note: '' }
  return { type: 'ALIAS', ...record, note: apexNote }
}
