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

/**
 * The shares of the account's limit. What expires next may use all of it; the rest is left to it by domains that are
 * new, and to both by other renewals.
 */
const shares = { urgent: 1, first: 0.9, renewal: 0.8 }

export interface AccountLimit {
  authority: string
  /** How many orders it accepts in three hours. */
  orderLimit?: number | undefined
}

/** What forbids an order now, and for how long. */
export function limitOf(
  domain: Domain,
  orders: readonly PlacedOrder[],
  now: Date,
  { authority, orderLimit = DEFAULT_ORDER_LIMIT }: AccountLimit,
): { detail: string; ms: number } | undefined {
  const limits = limitsOf(domain, orders, { orderLimit, share: shares[needOf(domain, now)] })
  const { certificate } = domain
  const isExempt = certificate?.renewal !== undefined && certificate.authority === authority
  for (const { count, period, orders: counted, detail } of isExempt ? limits.slice(0, 1) : limits) {
    const last = within(period, counted, now)
      .map(({ at }) => at)
      .sort()
      .at(-count)
    if (last !== undefined) return { detail, ms: endOf(last, period, now) - now.getTime() }
  }
  return undefined
}

/** What expires within a tenth of its life, or has expired, is urgent. */
function needOf({ certificate }: Domain, now: Date): keyof typeof shares {
  if (!certificate) return 'first'
  const [begin, end] = [Date.parse(certificate.notBefore), Date.parse(certificate.notAfter)]
  return end - now.getTime() < (end - begin) / 10 ? 'urgent' : 'renewal'
}

/** Our own limit first. https://letsencrypt.org/docs/rate-limits/: renewals are exempt from the limit on a registered domain. */
function limitsOf(
  { certificate, name }: Domain,
  orders: readonly PlacedOrder[],
  { orderLimit, share }: { orderLimit: number; share: number },
): [Limit, ...Limit[]] {
  const lifetime = certificate ? Date.parse(certificate.notAfter) - Date.parse(certificate.notBefore) : WEEK
  const ofHost = orders.filter(({ host }) => host === name.host)
  const counted = orders.filter(({ isExempt }) => !isExempt)
  const first = certificate ? [] : counted.filter(({ host, isRenewal }) => !isRenewal && isWithin(host, name.zone))
  return [
    { count: 4, period: HOUR, orders: ofHost, detail: 'At most four certificates are ordered per hour.' },
    {
      count: 5,
      period: Math.min(WEEK, lifetime),
      orders: ofHost.filter(({ isExempt }) => !isExempt),
      detail: 'At most five certificates are ordered per week.',
    },
    {
      count: 50,
      period: WEEK,
      orders: first,
      detail: `At most fifty certificates are ordered per week for ${name.zone}.`,
    },
    {
      count: Math.ceil(orderLimit * share),
      period: 3 * HOUR,
      orders: counted,
      detail: `At most ${orderLimit} certificates are ordered in three hours, for all domains.`,
    },
  ]
}

function within(period: number, orders: readonly PlacedOrder[], now: Date): PlacedOrder[] {
  return orders.filter(({ at }) => endOf(at, period, now) > now.getTime())
}
