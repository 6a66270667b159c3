// The operations on domains, for the dashboard and the command line.
import { parseName } from './dns/name.ts'
import type { Clock } from './maintenance/clock.ts'
import { canRequestAt } from './maintenance/schedule.ts'
import type { Worker } from './maintenance/worker.ts'
import { type Domain, newDomain, type RedirectStatus } from './state/domain.ts'
import type { DomainState } from './state/domain-state.ts'
import { type DomainView, viewOf } from './view/view.ts'

export type Plan = 'free' | 'pro' | 'enterprise'

/** `domain` always serves the documentation; `cnameTarget` is what users' DNS records point to. */
export interface Platform {
  domain: string
  cnameTarget: string
}

/** An expected outcome, not an error: the code says why. */
export interface Refused<Code extends string> {
  refused: Code
  message?: string
}

export interface Overview {
  plan: Plan
  platform: Platform
  primary?: string
  domains: DomainView[]
}

/** Each function rejects when the change cannot be saved, and then nothing has changed. */
export interface Registry {
  list(): Overview
  /** @param typed the domain as the user entered it */
  add(
    typed: string,
  ): Promise<DomainView | Refused<'plan_required' | 'invalid_domain' | 'domain_exists' | 'not_deployed'>>
  /** Starts an attempt, unless one is running. */
  verify(host: string): Promise<DomainView | Unknown | (Refused<'rate_limited'> & { retryAfterSeconds: number })>
  remove(host: string): Promise<undefined | Unknown>
  setPrimary(host: string): Promise<DomainView | Unknown>
  setRedirect(
    host: string,
    status: RedirectStatus,
  ): Promise<DomainView | Unknown | Refused<'is_primary' | 'no_primary'>>
  removeRedirect(host: string): Promise<DomainView | Unknown>
}

type Unknown = Refused<'domain_not_found'>

export interface RegistryOptions {
  state: DomainState
  worker: Worker
  plan: Plan
  platform: Platform
  /** Resolves with true if the documentation is reachable at the platform's own domain. */
  isDeployed(): Promise<boolean>
  clock: Clock
}

export function domainRegistry(options: RegistryOptions): Registry {
  const { state, worker, plan, platform, isDeployed, clock } = options

  function view(domain: Domain): DomainView {
    const { primary, redirects } = state.current()
    const progress = worker.progressOf(domain.name.host)
    return viewOf(domain, { primary, redirects, platform, progress, now: clock.now() })
  }
  /** The domain may have been removed in the meantime. */
  function find(host: string): DomainView | Unknown {
    const domain = state.current().domains.get(host)
    return domain ? view(domain) : unknown
  }
  const has = (host: string) => state.current().domains.has(host)

  return {
    list: () => {
      const { domains, primary } = state.current()
      return { plan, platform, ...(primary !== undefined && { primary }), domains: [...domains.values()].map(view) }
    },

    async add(typed) {
      if (plan === 'free') return { refused: 'plan_required' }
      const name = parseName(typed, [platform.domain, platform.cnameTarget])
      if ('invalid' in name) return { refused: 'invalid_domain', message: name.invalid }
      if (has(name.host)) return { refused: 'domain_exists' }
      if (!(await isDeployed())) return { refused: 'not_deployed' }
      const domain = newDomain(name, 'added', clock.now())
      const isAdded = await state.commit((draft) => {
        if (draft.domains.has(name.host)) return false
        draft.domains.set(name.host, domain)
        draft.primary ??= name.host
        return true
      })
      return isAdded ? view(domain) : { refused: 'domain_exists' }
    },

    async verify(host) {
      const domain = state.current().domains.get(host)
      if (!domain) return unknown
      if (worker.progressOf(host)) return view(domain)
      const now = clock.now()
      const wait = canRequestAt(domain, now).getTime() - now.getTime()
      if (wait > 0) {
        const retryAfterSeconds = Math.ceil(wait / 1000)
        return { refused: 'rate_limited', message: `Try again in ${retryAfterSeconds} seconds.`, retryAfterSeconds }
      }
      await state.commit(({ domains }) => {
        const current = domains.get(host)
        if (current) domains.set(host, { ...current, askedAt: now.toISOString() })
      })
      if (has(host)) worker.start(host)
      return find(host)
    },

    async remove(host) {
      if (!has(host)) return unknown
      await state.commit(({ domains }) => domains.delete(host))
      await worker.stop(host)
      return undefined
    },

    async setPrimary(host) {
      await state.commit((draft) => {
        if (draft.domains.has(host)) draft.primary = host
      })
      return find(host)
    },

    async setRedirect(host, status) {
      if (!has(host)) return unknown
      const refused = await state.commit(({ primary, redirects }) => {
        if (primary === undefined) return 'no_primary'
        if (primary === host) return 'is_primary'
        redirects.set(host, status)
        return undefined
      })
      return refused ? { refused } : find(host)
    },

    async removeRedirect(host) {
      await state.commit(({ redirects }) => redirects.delete(host))
      return find(host)
    },
  }
}

const unknown: Unknown = { refused: 'domain_not_found' }
