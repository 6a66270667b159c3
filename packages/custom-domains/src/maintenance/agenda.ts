// What is due, and when. Checks that find nothing new are remembered here alone: they are not saved.
import type { Domain } from '../state/domain.ts'
import { keysThatDiffer } from '../state/layered-map.ts'
import { dueAt } from './schedule.ts'

/** If more domains have changed, all are sorted again. */
const MOST_MOVES = 100

export interface Agenda {
  /** The domain with the times of its last check. */
  latest(domain: Domain): Domain
  /** @param domain as it is saved: once that changes, the check no longer counts */
  noteCheck(domain: Domain, checked: Domain, now: Date): void
  /** Times in milliseconds, the earliest first, of the domains that are due at some time. */
  upcoming(domains: ReadonlyMap<string, Domain>, now: Date): readonly Upcoming[]
  /** Checks begin now. */
  restart(now: Date): void
}

export interface Upcoming {
  host: string
  at: number
}

export function agendaFrom(begin: Date): Agenda {
  const checked = new WeakMap<Domain, Domain>()
  let since = begin
  let latestAt = begin
  let times = new WeakMap<Domain, { at: number | undefined }>()
  /** What `upcoming` has returned last, and for which domains. */
  let sorted: { of: ReadonlyMap<string, Domain>; all: Upcoming[] } | undefined

  function reset(now: Date) {
    times = new WeakMap()
    sorted = undefined
    if (since > now) since = now
  }

  const latest = (domain: Domain) => checked.get(domain) ?? domain

  function timeOf(saved: Domain, count: number, now: Date): number | undefined {
    const domain = latest(saved)
    let time = times.get(domain)
    if (!time) {
      time = { at: dueAt(domain, now, { since, count })?.getTime() }
      times.set(domain, time)
    }
    return time.at
  }

  function sortedBy(domains: ReadonlyMap<string, Domain>, now: Date): Upcoming[] {
    const all: Upcoming[] = []
    for (const [host, domain] of domains) {
      const at = timeOf(domain, domains.size, now)
      if (at !== undefined) all.push({ host, at })
    }
    return all.sort((a, b) => a.at - b.at)
  }

  function move(all: Upcoming[], host: string, former: number | undefined, next: number | undefined) {
    if (former !== undefined) {
      let index = firstFrom(all, former)
      while (index < all.length && all[index]?.host !== host) index++ // others may be due at the same time
      all.splice(index, 1)
    }
    if (next !== undefined) all.splice(firstFrom(all, next), 0, { host, at: next })
  }

  return {
    latest,
    noteCheck(domain, after, now) {
      const { host } = domain.name
      if (sorted?.of.get(host) !== domain) return void checked.set(domain, after)
      const { of, all } = sorted
      const former = timeOf(domain, of.size, now)
      checked.set(domain, after)
      move(all, host, former, timeOf(domain, of.size, now))
    },
    upcoming(domains, now) {
      if (now < latestAt) reset(now) // the clock was set back
      latestAt = now
      const changed = sorted && keysThatDiffer(sorted.of, domains)
      if (sorted && changed && changed.length <= MOST_MOVES) {
        const { of, all } = sorted
        const timeAt = (domain: Domain | undefined) => domain && timeOf(domain, domains.size, now)
        for (const host of changed) move(all, host, timeAt(of.get(host)), timeAt(domains.get(host)))
        sorted.of = domains
      } else sorted = { of: domains, all: sortedBy(domains, now) }
      return sorted.all
    },
    restart(now) {
      since = now
      reset(now)
    },
  }
}

/** The index of the first that is due at this time or later. */
function firstFrom(all: readonly Upcoming[], at: number): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((all[middle] as Upcoming).at < at) low = middle + 1
    else high = middle
  }
  return low
}
