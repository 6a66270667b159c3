// The limits on orders: our own, and those of Let's Encrypt, which are the defaults for any authority.
import type { Domain } from '../state/domain.ts'
import { endOf, restsUntil } from './schedule.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

interface Limit {
  count: number
  period: number
  orders: string[]
  detail: string
}

/** The orders that may count towards a limit. */
export function recentOrders({ orderedAt }: Domain, now: Date): string[] {
  return within(WEEK, orderedAt, now)
}

/** What forbids an order now, and for how long. */
export function limitOf(
  domain: Domain,
  domains: Iterable<Domain>,
  now: Date,
): { detail: string; ms: number } | undefined {
  const time = now.getTime()
  const rest = restsUntil(domain, now) - time
  if (rest > 0) return { detail: 'No certificate is ordered within a day of the last one issued.', ms: rest }
  for (const { count, period, orders, detail } of limitsOf(domain, [...domains])) {
    const last = within(period, orders, now).sort().at(-count)
    if (last !== undefined) return { detail, ms: endOf(last, period, now) - time }
  }
  return undefined
}

/** https://letsencrypt.org/docs/rate-limits/: as renewals are, they are exempt from the limit on a registered domain. */
function limitsOf(domain: Domain, domains: Domain[]): Limit[] {
  const { orderedAt, certificate, name } = domain
  const lifetime = certificate ? Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore) : WEEK
  const first = domains.filter((other) => other.name.zone === name.zone && !certificate)
  return [
    { count: 4, period: HOUR, orders: orderedAt, detail: 'At most four certificates are ordered per hour.' },
    {
      count: 5,
      period: Math.min(WEEK, lifetime),
      orders: orderedAt,
      detail: 'At most five certificates are ordered per week.',
    },
    {
      count: 50,
      period: WEEK,
      orders: first.flatMap((other) => other.orderedAt),
      detail: `At most fifty certificates are ordered per week for ${name.zone}.`,
    },
    {
      count: 300,
      period: 3 * HOUR,
      orders: domains.flatMap((other) => other.orderedAt),
      detail: 'At most 300 certificates are ordered in three hours, for all domains.',
    },
  ]
}

function within(period: number, times: readonly string[], now: Date): string[] {
  return times.filter((time) => endOf(time, period, now) > now.getTime())
}
