// A copy of what is stored, in memory. In place of certificates it has what the schedule reads in them.
import { type Leaf, withOrigin } from '../certificates/certificate.ts'
import type { Domain, PlacedOrder } from '../state/domain.ts'
import type { DomainStorage, StoredRecord } from '../state/storage.ts'

const nothing = async () => {}

export function copyOf(records: readonly StoredRecord[]) {
  /** The orders that are placed from now on. */
  const orders: PlacedOrder[] = []
  const secrets = new Map<string, string>()
  for (const { kind, name, value } of records) {
    const { certificate, issuedAt = '' } = kind === 'domain' ? { ...(value as Domain | undefined) } : {}
    const [authority, hosts] = [certificate?.authority, [name]]
    if (certificate) secrets.set(`certificate ${name}`, textOf({ ...certificate, hosts }, { authority, issuedAt }))
  }
  const storage: DomainStorage = {
    load: async () => ({ version: '', isWhole: true, records: [...records] }),
    async save(changes) {
      for (const { kind, value } of changes) if (kind === 'order' && value) orders.push(value as PlacedOrder)
      return ''
    },
    loadSecret: async (kind, name) => secrets.get(`${kind} ${name}`),
    async saveSecret(kind, name, text) {
      if (text === undefined) secrets.delete(`${kind} ${name}`)
      else secrets.set(`${kind} ${name}`, text)
    },
    replaceSecret: nothing,
    close: nothing,
  }
  return { storage, orders }
}

/** Stands in for a certificate. */
export function textOf(
  leaf: Leaf,
  { authority, issuedAt }: { authority?: string | undefined; issuedAt: string },
): string {
  const text = JSON.stringify(leaf)
  return authority === undefined ? text : withOrigin(text, { authority, issuedAt })
}

export function leafOf(text: string): Leaf {
  return JSON.parse(text.slice(text.indexOf('{')))
}
