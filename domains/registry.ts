// The operations on domains, for the dashboard and the command line.
import { IssueError, type RevocationReason } from './certificates/issuer.ts'
import type { Revoke } from './certificates/revoke.ts'
import { parseName } from './dns/name.ts'
import type { Clock } from './maintenance/clock.ts'
import { canRequestAt } from './maintenance/schedule.ts'
import type { Worker } from './maintenance/worker.ts'
import { type Domain, newDomain, type RedirectStatus } from './state/domain.ts'
import { type DomainState, NotSavedError } from './state/domain-state.ts'
import { hostOf } from './state/host.ts'
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
  /** Why nothing can be changed at present. */
  unsaved?: string
  domains: DomainView[]
}

/**
 * Where a change cannot be saved, nothing has changed, except that a removed domain is no longer served. Hosts may be
 * written in any form that users type.
 */
export interface Registry {
  list(): Overview
  /** @param typed the domain as the user entered it */
  add(
    typed: string,
  ): Promise<
    | DomainView
    | NotSaved
    | Refused<'plan_required' | 'invalid_domain' | 'domain_exists' | 'too_many_domains' | 'not_deployed'>
  >
  /** Starts an attempt, unless one is running. */
  verify(
    host: string,
  ): Promise<DomainView | Unknown | NotSaved | (Refused<'rate_limited'> & { retryAfterSeconds: number })>
  /** Like verify, and orders a new certificate even if the present one is current. */
  reissue: Registry['verify']
  remove(host: string): Promise<undefined | Unknown | NotSaved>
  /** Removes the domain, if it is still there, and revokes its certificate. */
  revoke(host: string, reason: RevocationReason): Promise<undefined | Unknown | NotSaved | Refused<'not_revoked'>>
  setPrimary(host: string): Promise<DomainView | Unknown | NotSaved>
  setRedirect(
    host: string,
    status: RedirectStatus,
  ): Promise<DomainView | Unknown | NotSaved | Refused<'is_primary' | 'no_primary'>>
  removeRedirect(host: string): Promise<DomainView | Unknown | NotSaved>
}

type Unknown = Refused<'domain_not_found'>
type NotSaved = Refused<'not_saved'>

export interface RegistryOptions {
  state: DomainState
  worker: Worker
  plan: Plan
  platform: Platform
  /** How many domains there may be; default: 100. */
  limit?: number | undefined
  /** Resolves with true if the documentation is reachable at the platform's own domain. */
  isDeployed(): Promise<boolean>
  revoke: Revoke
  clock: Clock
}

export function domainRegistry(options: RegistryOptions): Registry {
  const { list, add, verify, reissue, remove, revoke, ...choices } = operations(options)
  return {
    list,
    add: saving(add),
    verify: saving(verify),
    reissue: saving(reissue),
    remove,
    revoke,
    setPrimary: saving(choices.setPrimary),
    setRedirect: saving(choices.setRedirect),
    removeRedirect: saving(choices.removeRedirect),
  }
}

function saving<Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) {
  return (...args: Args): Promise<Result | NotSaved> =>
    operation(...args).catch((error) => {
      if (!(error instanceof NotSavedError)) throw error
      return { refused: 'not_saved', message: `Nothing was changed, because it cannot be saved: ${error.message}.` }
    })
}

function operations(options: RegistryOptions): Registry {
  const { state, worker, plan, platform, limit = 100, isDeployed, clock } = options

  function view(domain: Domain): DomainView {
    const { primary, redirects, domains } = state.current()
    const isPrimaryLive = primary !== undefined && domains.get(primary)?.state === 'live'
    const progress = progressOf(domain)
    return viewOf(domain, { primary, isPrimaryLive, redirects, platform, progress, now: clock.now() })
  }
  /** What was requested may be worked on by another instance. */
  function progressOf({ name, state, isRequested }: Domain): Domain['state'] | undefined {
    const isUnderWay = state === 'verified' || state === 'issuing'
    return worker.progressOf(name.host) ?? (isRequested ? (isUnderWay ? state : 'verifying') : undefined)
  }
  /** A domain of the users'. */
  function get(host: string): Domain | undefined {
    const domain = state.current().domains.get(host)
    return domain?.isPlatform ? undefined : domain
  }
  const has = (host: string) => get(host) !== undefined
  /** The domain may have been removed in the meantime. */
  function find(host: string): DomainView | Unknown {
    const domain = get(host)
    return domain ? view(domain) : unknown
  }

  /** Starts an attempt at a user's request. */
  async function request(host: string, changesAt: (time: string) => Partial<Domain>): ReturnType<Registry['verify']> {
    const domain = get(host)
    if (!domain) return unknown
    if (progressOf(domain)) return view(domain)
    const now = clock.now()
    const time = now.toISOString()
    const wait = canRequestAt(domain, now).getTime() - now.getTime()
    if (wait > 0) {
      const retryAfterSeconds = Math.ceil(wait / 1000)
      return { refused: 'rate_limited', message: `Try again in ${retryAfterSeconds} seconds.`, retryAfterSeconds }
    }
    await state.commit(({ domains }) => {
      const current = domains.get(host)
      if (current) domains.set(host, { ...current, askedAt: time, isRequested: true, ...changesAt(time) })
    })
    if (has(host)) worker.start(host)
    return find(host)
  }

  async function removeDomain(host: string): Promise<undefined | NotSaved> {
    const unsaved = await state.apply(({ domains }) => domains.delete(host))
    await worker.stop(host)
    if (!unsaved) await state.spread()
    const message = `${host} is no longer served, but its removal is not saved yet, so that a restart would undo it: ${unsaved?.message}.`
    return unsaved && { refused: 'not_saved', message }
  }

  return {
    list: () => {
      const { domains, primary } = state.current()
      const shown = [...domains.values()].filter(({ isPlatform }) => !isPlatform)
      const unsaved = state.unsaved()
      return {
        plan,
        platform,
        ...(primary !== undefined && { primary }),
        ...(unsaved && { unsaved: unsaved.message }),
        domains: shown.map(view),
      }
    },

    async add(typed) {
      if (plan === 'free') return { refused: 'plan_required' }
      const name = parseName(typed, [platform.domain, platform.cnameTarget])
      if ('invalid' in name) return { refused: 'invalid_domain', message: name.invalid }
      if (has(name.host)) return { refused: 'domain_exists' }
      const tooMany = { refused: 'too_many_domains', message: `There can be at most ${limit} domains.` } as const
      if (countOf(state.current().domains) >= limit) return tooMany
      if (!(await isDeployed())) return { refused: 'not_deployed' }
      const domain = newDomain(name, 'added', clock.now())
      const refused = await state.commit((draft) => {
        if (draft.domains.has(name.host)) return { refused: 'domain_exists' } as const
        if (countOf(draft.domains) >= limit) return tooMany
        draft.domains.set(name.host, domain)
        draft.primary ??= name.host
        return undefined
      })
      return refused ?? view(domain)
    },

    verify: (typed) => request(hostOf(typed), () => ({})),
    reissue: (typed) => request(hostOf(typed), (time) => ({ reissueAt: time })),

    async remove(typed) {
      const host = hostOf(typed)
      if (!has(host)) return unknown
      return removeDomain(host)
    },

    async revoke(typed, reason) {
      const host = hostOf(typed)
      const isKnown = has(host)
      const unsaved = isKnown ? await removeDomain(host) : undefined
      if (!isKnown && state.current().domains.has(host)) return unknown
      try {
        return (await options.revoke(host, reason)) || isKnown ? unsaved : unknown
      } catch (error) {
        if (!(error instanceof IssueError)) throw error
        const message = `${host} is no longer served, but its certificate has not been revoked: "${error.message}"`
        return { refused: 'not_revoked', message }
      }
    },
    async setPrimary(typed) {
      const host = hostOf(typed)
      if (!has(host)) return unknown
      await state.commit((draft) => {
        if (draft.domains.has(host)) draft.primary = host
      })
      return find(host)
    },

    async setRedirect(typed, status) {
      const host = hostOf(typed)
      if (!has(host)) return unknown
      const refused = await state.commit(({ primary, redirects }) => {
        if (primary === undefined) return 'no_primary'
        if (primary === host) return 'is_primary'
        redirects.set(host, status)
        return undefined
      })
      return refused ? { refused } : find(host)
    },

    async removeRedirect(typed) {
      const host = hostOf(typed)
      await state.commit(({ redirects }) => redirects.delete(host))
      return find(host)
    },
  }
}

const unknown: Unknown = { refused: 'domain_not_found' }

/** The domains of users. */
function countOf(domains: ReadonlyMap<string, Domain>): number {
  return [...domains.values()].filter(({ isPlatform }) => !isPlatform).length
}
