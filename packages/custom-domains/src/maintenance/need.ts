// Who is served first where orders are limited: what expires soon, then new domains, then other renewals.
import type { Domain } from '../state/domain.ts'

export type Need = 'urgent' | 'first' | 'renewal'

const ranks: Record<Need, number> = { urgent: 0, first: 1, renewal: 2 }

/** What expires within a tenth of its life, or has expired, is urgent. */
export function needOf({ certificate }: Domain, now: Date): Need {
  if (!certificate) return 'first'
  const [begin, end] = [Date.parse(certificate.notBefore), Date.parse(certificate.notAfter)]
  return end - now.getTime() < (end - begin) / 10 ? 'urgent' : 'renewal'
}

/** Sorts in a total order: those of the same need come by the end of their certificates, or by their age. */
export function needKeyOf(domain: Domain, now: Date): string {
  const { certificate, addedAt, name } = domain
  return `${ranks[needOf(domain, now)]} ${certificate?.notAfter ?? addedAt} ${name.host}`
}

export function sortedByNeed<Item>(items: readonly Item[], domainOf: (item: Item) => Domain, now: Date): Item[] {
  return items
    .map((item) => ({ item, key: needKeyOf(domainOf(item), now) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item)
}
