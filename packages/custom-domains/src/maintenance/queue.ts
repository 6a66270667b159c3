// Finds the domains that wait for their turn at an authority. A walk through all domains for each order would be slow.
import type { Domain, PlacedOrder } from '../state/domain.ts'
import type { DomainState } from '../state/domain-state.ts'
import { keysThatDiffer } from '../state/layered-map.ts'
import { retryAt } from './schedule.ts'

/** @returns a function that finds them by the orders at the authority, the oldest first */
export function queueAt(
  authority: string,
  state: Pick<DomainState, 'current'>,
  clock: { now(): Date },
): (orders: readonly PlacedOrder[]) => Domain[] {
  /** The hosts that a limit keeps waiting, in these domains. */
  const hosts = new Set<string>()
  let of: ReadonlyMap<string, Domain> = new Map()

  const isQueued = ({ problem }: Domain) => problem?.code === 'rate_limited' && problem.queue === authority

  return (orders) => {
    const { domains } = state.current()
    for (const host of keysThatDiffer(of, domains)) {
      const domain = domains.get(host)
      if (domain && isQueued(domain)) hosts.add(host)
      else hosts.delete(host)
    }
    of = domains
    if (hosts.size === 0) return []
    const ordered = new Map(orders.map(({ host, at }) => [host, at]))
    return Array.from(hosts, (host) => domains.get(host) as Domain).filter((domain) => {
      const { failedAt = '', name } = domain
      return (ordered.get(name.host) ?? '') < failedAt && retryAt(domain, clock.now()) !== undefined
    })
  }
}
