// The limits on orders at one authority: our own, and those of Let's Encrypt, which are the defaults for any other.
import { isWithin } from '../domain-name.ts'
import type { Domain, PlacedOrder } from '../state/domain.ts'
import { endOf } from './schedule.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

interface Limit {
  count: number
  period: number
  orders: readonly PlacedOrder[]
  detail: string
}

/** True for an order that no longer counts towards any limit. */
export function hasExpired({ at }: PlacedOrder, now: Date): boolean {
  return endOf(at, WEEK, now) <= now.getTime()
}

/** That of Let's Encrypt, for an account. */
export const DEFAULT_ORDER_LIMIT = 300

/** What forbids an order now, and for how long. @param orderLimit of the account, in three hours */
export function limitOf(
  domain: Domain,
  orders: readonly PlacedOrder[],
  now: Date,
  orderLimit = DEFAULT_ORDER_LIMIT,
): { detail: string; ms: number } | undefined {
  for (const { count, period, orders: counted, detail } of limitsOf(domain, orders, orderLimit)) {
    const last = within(period, counted, now)
      .map(({ at }) => at)
      .sort()
      .at(-count)
    if (last !== undefined) return { detail, ms: endOf(last, period, now) - now.getTime() }
  }
  return undefined
}

/** https://letsencrypt.org/docs/rate-limits/: renewals are exempt from the limit on a registered domain. */
function limitsOf({ certificate, name }: Domain, orders: readonly PlacedOrder[], orderLimit: number): Limit[] {
  const lifetime = certificate ? Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore) : WEEK
  const ofHost = orders.filter(({ host }) => host === name.host)
  const first = certificate ? [] : orders.filter(({ host, isRenewal }) => !isRenewal && isWithin(host, name.zone))
  return [
    { count: 4, period: HOUR, orders: ofHost, detail: 'At most four certificates are ordered per hour.' },
    {
      count: 5,
      period: Math.min(WEEK, lifetime),
      orders: ofHost,
      detail: 'At most five certificates are ordered per week.',
    },
    {
      count: 50,
      period: WEEK,
      orders: first,
      detail: `At most fifty certificates are ordered per week for ${name.zone}.`,
    },
    {
      count: orderLimit,
      period: 3 * HOUR,
      orders,
      detail: `At most ${orderLimit} certificates are ordered in three hours, for all domains.`,
    },
  ]
}

function within(period: number, orders: readonly PlacedOrder[], now: Date): PlacedOrder[] {
  return orders.filter(({ at }) => endOf(at, period, now) > now.getTime())
}
