// The operations on a domain that exists: verification, a new certificate, redirects, and removal.
import { IssueError, type RevocationReason } from '../certificates/issuer.ts'
import type { Revocable } from '../certificates/revoke.ts'
import { DomainError } from '../domain-error.ts'
import { nextRequestAt } from '../maintenance/schedule.ts'
import { type Domain, newDomain } from '../state/domain.ts'
import { durationOf } from '../texts/phrases.ts'
import type { Domains } from './domains.ts'
import type { Registry, RegistryOptions } from './types.ts'
import { updateOf } from './update.ts'

export function operationsOn(
  { state, worker, revoker, clock }: RegistryOptions,
  { has, known, view, progressOf }: Domains,
): Pick<Registry, 'verify' | 'reissue' | 'remove' | 'revoke' | 'redirect'> {
  /** Starts an attempt. */
  async function request(host: string, changesAt: (time: string) => Partial<Domain>): ReturnType<Registry['verify']> {
    const domain = known(host)
    if (progressOf(domain)) return view(domain)
    const now = clock.now()
    const time = now.toISOString()
    const wait = nextRequestAt(domain, now).getTime() - now.getTime()
    if (wait > 0) {
      const retryAfter = Math.ceil(wait / 1000)
      throw new DomainError('rate_limited', `Try again in ${durationOf(wait)}.`, { retryAfter })
    }
    await state.commit(({ domains }) => {
      const current = domains.get(host)
      if (current)
        domains.set(host, { ...begunAnew(current, time), askedAt: time, isRequested: true, ...changesAt(time) })
    })
    if (has(host)) worker.start(host)
    return view(known(host))
  }

  /**
   * @param revocable its certificate, if that is to be revoked: saved as such with the removal, for all instances
   * @param next takes its place
   */
  async function removeDomain(host: string, revocable?: Revocable, next?: Domain): Promise<void> {
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
    if (!unsaved) return state.whenAcknowledged()
    const certificate = revocable ? ' Its certificate has not been revoked.' : ''
    const message = `${host} is no longer served, but its removal is not saved yet, so that a restart would undo it: ${unsaved.message}.${certificate}`
    throw new DomainError('not_saved', message)
  }

  async function revokeCertificate(host: string, certificate: string, reason: RevocationReason) {
    await revoker.revoke(host, certificate, reason).catch((error) => {
      if (!(error instanceof IssueError)) throw error
      const isServed = has(host) ? 'is served only with another certificate' : 'is no longer served'
      const message = `${host} ${isServed}, but its certificate has not been revoked: "${error.message}"`
      throw new DomainError('not_revoked', message)
    })
  }

  return {
    verify: (host) => request(host, () => ({})),
    reissue: (host) => request(host, (time) => ({ reissueAt: time })),

    async redirect(host, to, status) {
      await state.commit((draft) => updateOf(draft).redirect(host, to, status))
      return view(known(host))
    },

    async remove(host, reason) {
      if (reason === undefined) {
        known(host)
        return removeDomain(host)
      }
      const isListed = has(host)
      if (!isListed && state.current().domains.has(host)) known(host)
      const revocable = await revoker.find(host)
      if (!isListed && !revocable) known(host)
      await removeDomain(host, revocable)
      if (revocable) await revokeCertificate(host, revocable.certificate, reason)
    },

    async revoke(host, reason) {
      const domain = known(host)
      let { unrevoked } = domain
      if (unrevoked === undefined) {
        const revocable = await revoker.find(host)
        unrevoked = revocable?.certificate
        const kept = { ...givenWith(domain), ...(unrevoked !== undefined && { unrevoked }) }
        await removeDomain(host, revocable, newDomain(domain.name, 'verifying', clock.now(), kept))
      }
      if (unrevoked !== undefined) {
        await revokeCertificate(host, unrevoked, reason)
        await state.apply(({ domains }) => {
          const { unrevoked: former, ...others } = { ...domains.get(host) }
          if (former === unrevoked) domains.set(host, others as Domain)
        })
      }
      return view(known(host))
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
