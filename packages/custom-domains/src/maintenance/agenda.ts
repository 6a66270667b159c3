// What is due, and when. Checks that find nothing new are remembered here alone: they are not saved.
import type { Domain } from '../state/domain.ts'
import { dueAt } from './schedule.ts'

/** Times are computed again after this long, and when the clock was set back. */
const PERIOD_MS = 3_600_000

export interface Agenda {
  /** The domain with the times of its last check. */
  latest(domain: Domain): Domain
  /** @param domain as it is saved: once that changes, the check no longer counts */
  noteCheck(domain: Domain, checked: Domain): void
  /** Times in milliseconds, of the domains that are due at some time. */
  dueTimes(domains: ReadonlyMap<string, Domain>, now: Date): { host: string; at: number }[]
  /** Checks begin now. */
  restart(now: Date): void
}

export function agendaFrom(begin: Date): Agenda {
  const checked = new WeakMap<Domain, Domain>()
  let since = begin
  let computedAt = begin
  let times = new WeakMap<Domain, { at: number | undefined }>()

  function reset(now: Date) {
    times = new WeakMap()
    computedAt = now
    if (since > now) since = now
  }

  const latest = (domain: Domain) => checked.get(domain) ?? domain

  return {
    latest,
    noteCheck: (domain, after) => void checked.set(domain, after),
    dueTimes(domains, now) {
      const age = now.getTime() - computedAt.getTime()
      if (age < 0 || age >= PERIOD_MS) reset(now)
      const due: { host: string; at: number }[] = []
      for (const [host, saved] of domains) {
        const domain = latest(saved)
        let time = times.get(domain)
        if (!time) {
          time = { at: dueAt(domain, now, { since, count: domains.size })?.getTime() }
          times.set(domain, time)
        }
        if (time.at !== undefined) due.push({ host, at: time.at })
      }
      return due
    },
    restart(now) {
      since = now
      reset(now)
    },
  }
}
