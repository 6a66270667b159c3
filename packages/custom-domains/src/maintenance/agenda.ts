// What is due, and when. Checks that find nothing new are remembered here alone: they are not saved.
import type { Domain } from '../state/domain.ts'
import { dueAt } from './schedule.ts'

/** Times are computed again after this long, and when the clock was set back. */
const PERIOD_MS = 3_600_000

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
  let computedAt = begin
  let times = new WeakMap<Domain, { at: number | undefined }>()
  /** What `upcoming` has returned last, and for which domains. */
  let sorted: { of: ReadonlyMap<string, Domain>; all: Upcoming[] } | undefined

  function reset(now: Date) {
    times = new WeakMap()
    sorted = undefined
    computedAt = now
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

  return {
    latest,
    noteCheck(domain, after, now) {
      checked.set(domain, after)
      const { host } = domain.name
      if (sorted?.of.get(host) !== domain) return
      const { of, all } = sorted
      const former = all.findIndex((each) => each.host === host)
      if (former >= 0) all.splice(former, 1)
      const at = timeOf(domain, of.size, now) as number // only live domains are unchanged by a check
      const next = all.findIndex((each) => each.at > at)
      all.splice(next < 0 ? all.length : next, 0, { host, at })
    },
    upcoming(domains, now) {
      const age = now.getTime() - computedAt.getTime()
      if (age < 0 || age >= PERIOD_MS) reset(now)
      if (sorted?.of !== domains) sorted = { of: domains, all: sortedBy(domains, now) }
      return sorted.all
    },
    restart(now) {
      since = now
      reset(now)
    },
  }
}
