// How many orders an authority gets: each day, and at most within each of its limits.
import { limits } from '../maintenance/order-limits.ts'
import type { PlacedOrder } from '../state/domain.ts'

const DAY = 24 * 3_600_000

export interface Load {
  /** The directory URL. */
  authority: string
  orders: number
  ordersADay: { min: number; median: number; max: number }
  limits: LimitLoad[]
}

export interface LimitLoad {
  scope: 'account' | 'zone' | 'host'
  /** The registered domain or the host that comes next to the limit. */
  name?: string
  hours: number
  allowed: number
  most: number
}

export interface LoadContext {
  authority: string
  orderLimit: number
  begin: Date
  days: number
  zoneOf(host: string): string
}

/** @param orders those of the authority, the oldest first */
export function loadOf(
  orders: readonly PlacedOrder[],
  { authority, orderLimit, begin, days, zoneOf }: LoadContext,
): Load {
  const counted = orders.filter(({ isExempt }) => !isExempt)
  const first = counted.filter(({ isRenewal }) => !isRenewal)
  const ofDay = Array.from({ length: days }, () => 0)
  for (const { at } of orders) {
    const day = Math.min(days - 1, Math.floor((Date.parse(at) - begin.getTime()) / DAY))
    ofDay[day] = Number(ofDay[day]) + 1
  }
  const sorted = ofDay.sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] as number
  return {
    authority,
    orders: orders.length,
    ordersADay: { min: at(0), median: at(0.5), max: at(1) },
    limits: [
      { scope: 'account', ...mostWithin(counted, { ...limits.account, count: orderLimit }, () => '') },
      { scope: 'zone', ...mostWithin(first, limits.zone, ({ host }) => zoneOf(host)) },
      { scope: 'host', ...mostWithin(counted, limits.host, ({ host }) => host) },
    ],
  }
}

/** The most orders of one group within a period. */
function mostWithin(
  orders: readonly PlacedOrder[],
  { count, period }: { count: number; period: number },
  groupOf: (order: PlacedOrder) => string,
): Omit<LimitLoad, 'scope'> {
  const recent = new Map<string, number[]>()
  let [most, name] = [0, '']
  for (const order of orders) {
    const [group, at] = [groupOf(order), Date.parse(order.at)]
    const times = (recent.get(group) ?? []).filter((time) => time > at - period)
    times.push(at)
    recent.set(group, times)
    if (times.length > most) [most, name] = [times.length, group]
  }
  return { ...(name && { name }), hours: period / 3_600_000, allowed: count, most }
}
