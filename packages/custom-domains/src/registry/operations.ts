// The operations on a domain that exists: verification, a new certificate, the primary domain, redirects, and removal.
import { IssueError, type RevocationReason } from '../certificates/issuer.ts'
import type { Revocable } from '../certificates/revoke.ts'
import { hostOf } from '../domain-name.ts'
import { nextRequestAt } from '../maintenance/schedule.ts'
import { type Domain, newDomain } from '../state/domain.ts'
import { durationOf } from '../texts/phrases.ts'
import { type Domains, unknown } from './domains.ts'
import { redirect } from './redirect.ts'
import type { NotSaved, Registry, RegistryOptions } from './types.ts'

export function operationsOn(
  { state, worker, findRevocable, clock }: RegistryOptions,
  { get, has, find, view, progressOf }: Domains,
): Pick<Registry, 'verify' | 'reissue' | 'remove' | 'revoke' | 'setPrimary' | 'setRedirect' | 'removeRedirect'> {
  /** Former certificates of domains that are kept. */
  const unrevoked = new Map<string, Revocable>()

  /** Starts an attempt. */
  async function request(host: string, changesAt: (time: string) => Partial<Domain>): ReturnType<Registry['verify']> {
    const domain = get(host)
    if (!domain) return unknown
    if (progressOf(domain)) return view(domain)
    const now = clock.now()
    const time = now.toISOString()
    const wait = nextRequestAt(domain, now).getTime() - now.getTime()
    if (wait > 0) {
      const message = `Try again in ${durationOf(wait)}.`
      return { rejected: 'rate_limited', message, retryAfterSeconds: Math.ceil(wait / 1000) }
    }
    await state.commit(({ domains }) => {
      const current = domains.get(host)
      if (current)
        domains.set(host, { ...begunAnew(current, time), askedAt: time, isRequested: true, ...changesAt(time) })
    })
    if (has(host)) worker.start(host)
    return find(host)
  }

  /**
   * @param revocable its certificate, if that is to be revoked: saved as such with the removal, for all instances
   * @param next takes its place
   */
  async function removeDomain(host: string, revocable?: Revocable, next?: Domain): Promise<undefined | NotSaved> {
    const unsaved = await state.apply(({ domains, revoked }) => {
      if (next) domains.set(host, next)
      else domains.delete(host)
      if (!revocable) return
      const now = clock.now().toISOString()
      for (const [keyId, notAfter] of revoked) if (notAfter < now) revoked.delete(keyId)
      revoked.set(revocable.keyId, revocable.notAfter)
    })
    await worker.stop(host)
    if (next) worker.start(host)
    if (!unsaved) await state.whenAcknowledged()
    const certificate = revocable ? ' Its certificate has not been revoked.' : ''
    const message = `${host} is no longer served, but its removal is not saved yet, so that a restart would undo it: ${unsaved?.message}.${certificate}`
    return unsaved && { rejected: 'not_saved', message }
  }

  /** @param isKept another certificate takes the place of this one, so a second try must know it */
  async function revokeStored(host: string, revocable: Revocable, reason: RevocationReason, isKept: boolean) {
    unrevoked.delete(host)
    try {
      await revocable.revoke(reason)
      return undefined
    } catch (error) {
      if (!(error instanceof IssueError)) throw error
      if (isKept) unrevoked.set(host, revocable)
      const isServed = isKept ? 'is served only with another certificate' : 'is no longer served'
      const message = `${host} ${isServed}, but its certificate has not been revoked: "${error.message}"`
      return { rejected: 'not_revoked', message } as const
    }
  }

  return {
    verify: (host) => request(host, () => ({})),
    reissue: (host) => request(host, (time) => ({ reissueAt: time })),

    async setPrimary(host) {
      await state.commit((draft) => {
        const domain = draft.domains.get(host)
        if (!domain || domain.isPlatform) return
        draft.redirects.delete(host)
        for (const [from, { to, status }] of draft.redirects)
          if (to === draft.primary) draft.redirects.set(from, { to: host, status })
        draft.primary = host
      })
      return find(host)
    },

    async setRedirect(host, status, typed) {
      const named = typed === undefined ? undefined : hostOf(typed)
      const isOther = named !== undefined && (!has(named) || get(named)?.owner !== get(host)?.owner)
      if (!has(host) || isOther) return unknown
      const rejected = await state.commit((draft) => {
        const to = named ?? draft.primary
        if (to === undefined) return 'no_primary'
        if (draft.primary === host) return 'is_primary'
        return redirect(draft, host, { to, status }) ? undefined : 'redirect_loop'
      })
      return rejected ? { rejected } : find(host)
    },

    async removeRedirect(host) {
      await state.commit(({ redirects }) => redirects.delete(host))
      return find(host)
    },

    async remove(host) {
      if (!has(host)) return unknown
      return removeDomain(host)
    },

    async revoke(host, reason, isKept = false) {
      const isListed = has(host)
      if (!isListed && state.current().domains.has(host)) return unknown
      const revocable = await findRevocable(host)
      if (!isListed && !revocable) return unknown
      const domain = get(host)
      const former = isKept && domain ? unrevoked.get(host) : undefined
      if (former) return revokeStored(host, former, reason, true)
      const next = isKept && domain ? newDomain(domain.name, 'verifying', clock.now(), givenWith(domain)) : undefined
      const unsaved = await removeDomain(host, revocable, next)
      if (unsaved || !revocable) return unsaved
      return revokeStored(host, revocable, reason, next !== undefined)
    },
  }
}

/** What the host server has given with a domain. */
function givenWith({ owner, target, data, proof }: Domain): Pick<Domain, 'owner' | 'target' | 'data' | 'proof'> {
  return {
    ...(owner !== undefined && { owner }),
    ...(target !== undefined && { target }),
    ...(data !== undefined && { data }),
    ...(proof && { proof }),
  }
}

/** What a user requests begins another period of retries. */
function begunAnew(domain: Domain, failingSince: string): Domain {
  if (domain.state === 'live' || domain.failingSince === undefined) return domain
  return { ...domain, attempts: 0, failingSince }
}
