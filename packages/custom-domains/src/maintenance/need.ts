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

/** A total order: those of the same need by the end of their certificates, or by their age. */
export function byNeed(now: Date): (one: Domain, other: Domain) => number {
  const keyOf = (domain: Domain) =>
    `${ranks[needOf(domain, now)]} ${domain.certificate?.notAfter ?? domain.addedAt} ${domain.name.host}`
  return (one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)
}
