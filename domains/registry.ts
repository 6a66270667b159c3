// What a user can do with domains: the same from the page and from a terminal.

import { parseName } from './dns/name.ts'
import type { Clock } from './maintenance/clock.ts'
import { canAskAt } from './maintenance/schedule.ts'
import type { Worker } from './maintenance/worker.ts'
import type { Domain, DomainName, RedirectStatus } from './state/domain.ts'
import type { Model } from './state/domain-state.ts'
import { type DomainView, viewOf } from './view/view.ts'

export type Plan = 'free' | 'pro' | 'enterprise'

/** Where the documentation is served anyway, and what the users' DNS records lead to. */
export interface Platform {
  domain: string
  cnameTarget: string
}

/** A refusal is no error: its code says why. */
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
  /** `typed` is what a user typed. */
  add(
    typed: string,
  ): Promise<DomainView | Refused<'plan_required' | 'invalid_domain' | 'domain_exists' | 'not_deployed'>>
  /** Begins to look at the domain, if it is not being looked at. */
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
  model: Model
  worker: Worker
  plan: Plan
  platform: Platform
  /** Whether the documentation answers at the platform's own domain. */
  isDeployed(): Promise<boolean>
  clock: Clock
}

export function domainRegistry(options: RegistryOptions): Registry {
  const { model, worker, plan, platform, isDeployed, clock } = options

  function view(domain: Domain): DomainView {
    const { primary, redirects } = model.current()
    const step = worker.stepOf(domain.name.host)
    return viewOf(domain, { primary, redirects, platform, step, now: clock.now() })
  }
  /** A domain may have been removed since it was last looked at. */
  function seen(host: string): DomainView | Unknown {
    const domain = model.current().domains.get(host)
    return domain ? view(domain) : unknown
  }
  const has = (host: string) => model.current().domains.has(host)

  return {
    list: () => {
      const { domains, primary } = model.current()
      return { plan, platform, ...(primary !== undefined && { primary }), domains: [...domains.values()].map(view) }
    },

    async add(typed) {
      if (plan === 'free') return { refused: 'plan_required' }
      const name = parseName(typed, [platform.domain, platform.cnameTarget])
      if ('refused' in name) return { refused: 'invalid_domain', message: name.refused }
      if (has(name.host)) return { refused: 'domain_exists' }
      if (!(await isDeployed())) return { refused: 'not_deployed' }
      const domain = newDomain(name, 'added', clock.now())
      const isAdded = await model.commit((draft) => {
        if (draft.domains.has(name.host)) return false
        draft.domains.set(name.host, domain)
        draft.primary ??= name.host
        return true
      })
      return isAdded ? view(domain) : { refused: 'domain_exists' }
    },

    async verify(host) {
      const domain = model.current().domains.get(host)
      if (!domain) return unknown
      if (worker.stepOf(host)) return view(domain)
      const now = clock.now()
      const wait = canAskAt(domain, now).getTime() - now.getTime()
      if (wait > 0) {
        const retryAfterSeconds = Math.ceil(wait / 1000)
        return {
          refused: 'rate_limited',
          message: `Wait ${retryAfterSeconds} seconds before asking again.`,
          retryAfterSeconds,
        }
      }
      await model.commit(({ domains }) => {
        const current = domains.get(host)
        if (current) domains.set(host, { ...current, askedAt: now.toISOString() })
      })
      if (has(host)) worker.attempt(host)
      return seen(host)
    },

    async remove(host) {
      if (!has(host)) return unknown
      await model.commit(({ domains }) => domains.delete(host))
      await worker.stop(host)
      return undefined
    },

    async setPrimary(host) {
      await model.commit((draft) => {
        if (draft.domains.has(host)) draft.primary = host
      })
      return seen(host)
    },

    async setRedirect(host, status) {
      if (!has(host)) return unknown
      const refused = await model.commit(({ primary, redirects }) => {
        if (primary === undefined) return 'no_primary'
        if (primary === host) return 'is_primary'
        redirects.set(host, status)
        return undefined
      })
      return refused ? { refused } : seen(host)
    },

    async removeRedirect(host) {
      await model.commit(({ redirects }) => redirects.delete(host))
      return seen(host)
    },
  }
}

const unknown: Unknown = { refused: 'domain_not_found' }

/** A domain at its beginning: `added` waits for a user, `verifying` is looked at by itself. */
export function newDomain(name: DomainName, state: 'added' | 'verifying', now: Date): Domain {
  return { name, state, addedAt: now.toISOString(), attempts: 0, orderedAt: [] }
}
