// The limits on orders at one authority: our own, and those of Let's Encrypt, which are the defaults for any other.
import { isWithin } from '../domain-name.ts'
import type { Domain, PlacedOrder } from '../state/domain.ts'
import { type Need, needKeyOf, needOf } from './need.ts'
import { endOf } from './schedule.ts'

const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR

interface Limit {
  count: number
  period: number
  orders: readonly PlacedOrder[]
  detail: string
  /** Domains wait for their turn. */
  isShared?: true
}

/** Tells the orders that a limit may count from the others. One in the future is from before the clock was set back. */
export function mayCount(now: Date, period = WEEK): (order: PlacedOrder) => boolean {
  const [begin, end] = [new Date(now.getTime() - period).toISOString(), now.toISOString()]
  return ({ at }) => begin < at && at <= end
}

/** That of Let's Encrypt, for an account. */
export const DEFAULT_ORDER_LIMIT = 300

/** Those of Let's Encrypt, but for our own, `hour`. */
export const limits = {
  hour: { count: 4, period: HOUR },
  host: { count: 5, period: WEEK },
  zone: { count: 50, period: WEEK },
  account: { period: 3 * HOUR },
}

/**
 * The shares of the account's limit. What expires next may use all of it; the rest is left to it by domains that are
 * new, and to both by other renewals.
 */
const shares: Record<Need, number> = { urgent: 1, first: 0.9, renewal: 0.8 }

export interface AccountLimit {
  authority: string
  /** How many orders it accepts in three hours. */
  orderLimit?: number | undefined
}

/** What forbids an order now, and for how long. */
export interface Refusal {
  detail: string
  ms: number
  /** It ends with the domain's turn. */
  isTurn: boolean
}

/** @param waiting the domains that wait for their turn at the authority */
export function limitOf(
  domain: Domain,
  orders: readonly PlacedOrder[],
  now: Date,
  { authority, orderLimit = DEFAULT_ORDER_LIMIT }: AccountLimit,
  waiting: readonly Domain[] = [],
): Refusal | undefined {
  const all = limitsOf(domain, orders, { orderLimit, share: shares[needOf(domain, now)] })
  const { certificate } = domain
  const isExempt = certificate?.renewal !== undefined && certificate.authority === authority
  for (const { isShared = false, ...limit } of isExempt ? all.slice(0, 1) : all) {
    const ms = waitFor(limit, now, isShared ? waitingBefore(domain, waiting, now) : [])
    if (ms !== undefined) return { detail: limit.detail, ms, isTurn: isShared }
  }
  return undefined
}

function waitingBefore(domain: Domain, waiting: readonly Domain[], now: Date): Domain[] {
  const key = needKeyOf(domain, now)
  return waiting.filter((other) => other.name.host !== domain.name.host && needKeyOf(other, now) < key)
}

/** @param ahead those whose turn it is take what is free @returns milliseconds */
function waitFor({ count, period, orders }: Limit, now: Date, ahead: readonly Domain[]): number | undefined {
  const times = orders
    .filter(mayCount(now, period))
    .map(({ at }) => at)
    .sort()
  const due = ahead.filter(({ notBefore = '' }) => notBefore <= now.toISOString()).length
  if (times.length + due < count) return undefined
  const last = times.at((ahead.length % count) - count)
  const free = last === undefined ? 0 : endOf(last, period, now) - now.getTime()
  return free + Math.floor(ahead.length / count) * period
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
    { ...limits.hour, orders: ofHost, detail: 'At most four certificates are ordered per hour.' },
    {
      ...limits.host,
      period: Math.min(WEEK, lifetime),
      orders: ofHost.filter(({ isExempt }) => !isExempt),
      detail: 'At most five certificates are ordered per week.',
    },
    {
      ...limits.zone,
      orders: first,
      detail: `At most fifty certificates are ordered per week for ${name.zone}.`,
    },
    {
      ...limits.account,
      count: Math.ceil(orderLimit * share),
      orders: counted,
      detail: `At most ${orderLimit} certificates are ordered in three hours, for all domains.`,
      isShared: true,
    },
  ]
}
