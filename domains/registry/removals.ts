// Removes domains, and revokes their certificates.
import { IssueError } from '../certificates/issuer.ts'
import { hostOf } from '../state/host.ts'
import { type Domains, unknown } from './domains.ts'
import type { NotSaved, Registry, RegistryOptions } from './types.ts'

export function removals(
  { state, worker, revoke }: RegistryOptions,
  { has }: Domains,
): Pick<Registry, 'remove' | 'revoke'> {
  async function removeDomain(host: string): Promise<undefined | NotSaved> {
    const unsaved = await state.apply(({ domains }) => domains.delete(host))
    await worker.stop(host)
    if (!unsaved) await state.spread()
    const message = `${host} is no longer served, but its removal is not saved yet, so that a restart would undo it: ${unsaved?.message}.`
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
      const unsaved = isKnown ? await removeDomain(host) : undefined
      if (!isKnown && state.current().domains.has(host)) return unknown
      try {
        return (await revoke(host, reason)) || isKnown ? unsaved : unknown
      } catch (error) {
        if (!(error instanceof IssueError)) throw error
        const message = `${host} is no longer served, but its certificate has not been revoked: "${error.message}"`
        return { refused: 'not_revoked', message }
      }
    },
  }
}
