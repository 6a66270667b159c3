// Removes domains, and revokes their certificates.
import { IssueError } from '../certificates/issuer.ts'
import type { Revocable } from '../certificates/revoke.ts'
import { hostOf } from '../state/domain.ts'
import { type Domains, unknown } from './domains.ts'
import type { NotSaved, Registry, RegistryOptions } from './types.ts'

export function removals(
  { state, worker, findRevocable, clock }: RegistryOptions,
  { has }: Domains,
): Pick<Registry, 'remove' | 'revoke'> {
  /** @param revocable its certificate, if that is to be revoked: saved as such with the removal, for all instances */
  async function removeDomain(host: string, revocable?: Revocable): Promise<undefined | NotSaved> {
    const unsaved = await state.apply(({ domains, revoked }) => {
      domains.delete(host)
      if (!revocable) return
      const now = clock.now().toISOString()
      for (const [keyId, notAfter] of revoked) if (notAfter < now) revoked.delete(keyId)
      revoked.set(revocable.keyId, revocable.notAfter)
    })
    await worker.stop(host)
    if (!unsaved) await state.whenAcknowledged()
    const certificate = revocable ? ' Its certificate has not been revoked.' : ''
    const message = `${host} is no longer served, but its removal is not saved yet, so that a restart would undo it: ${unsaved?.message}.${certificate}`
    return unsaved && { refused: 'not_saved', message }
  }

  return {
    async remove(typed) {
      const host = hostOf(typed)
      if (!has(host)) return unknown
      return removeDomain(host)
    },

    async revoke(typed, reason) {
      const host = hostOf(typed)
      const isKnown = has(host)
      if (!isKnown && state.current().domains.has(host)) return unknown
      const revocable = await findRevocable(host)
      if (!isKnown && !revocable) return unknown
      const unsaved = await removeDomain(host, revocable)
      if (unsaved || !revocable) return unsaved
      try {
        await revocable.revoke(reason)
        return undefined
      } catch (error) {
        if (!(error instanceof IssueError)) throw error
        const message = `${host} is no longer served, but its certificate has not been revoked: "${error.message}"`
        return { refused: 'not_revoked', message }
      }
    },
  }
}
