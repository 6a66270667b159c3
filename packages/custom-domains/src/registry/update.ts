// What an application changes in one save: roles, redirects, and what it keeps with domains.
import { DomainError } from '../domain-error.ts'
import { hostOf } from '../domain-name.ts'
import type { Domain } from '../state/domain.ts'
import type { Draft } from '../state/snapshot.ts'
import { isRecordKind } from '../state/storage.ts'
import { redirect } from './redirect.ts'
import type { Update } from './types.ts'

export function updateOf(draft: Draft): Update {
  const { domains, redirects, roles } = draft

  /** @throws DomainError */
  function known(typed: string): Domain {
    const domain = domains.get(hostOf(typed))
    if (domain && !domain.isPlatform) return domain
    throw new DomainError('domain_not_found')
  }

  return {
    redirects,
    find(typed) {
      const { name, isPlatform, owner, data } = domains.get(hostOf(typed)) ?? {}
      if (!name || isPlatform) return undefined
      return { domain: name.host, ...(owner !== undefined && { owner }), ...(data !== undefined && { data }) }
    },
    roles: {
      get: (role) => roles.get(role),
      set(role, typed) {
        if (isRecordKind(role)) throw new TypeError(`a role cannot be called ${role}`)
        roles.set(role, known(typed).name.host)
      },
      delete: (role) => void roles.delete(role),
    },
    setData(typed, data) {
      const domain = known(typed)
      domains.set(domain.name.host, { ...domain, data })
    },
    redirect(typed, target, status = 301) {
      const { name, owner } = known(typed)
      if (target === false) return void redirects.delete(name.host)
      const to = known(target)
      if (to.owner !== owner) throw new DomainError('domain_not_found')
      if (!redirect(draft, name.host, { to: to.name.host, status })) throw new DomainError('redirect_loop')
    },
  }
}
