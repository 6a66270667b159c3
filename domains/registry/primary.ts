// The primary domain, and the redirects to it.
import { hostOf } from '../state/domain.ts'
import { type Domains, unknown } from './domains.ts'
import type { Registry, RegistryOptions } from './types.ts'

export function primaryChoices(
  { state }: RegistryOptions,
  { has, find }: Domains,
): Pick<Registry, 'setPrimary' | 'setRedirect' | 'removeRedirect'> {
  return {
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
