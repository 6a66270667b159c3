// Adds a domain, if the plan, the limit and the deployment allow it.
import { parseName } from '../dns/name.ts'
import { newDomain } from '../state/domain.ts'
import { type Domains, ofUsers } from './domains.ts'
import type { Registry, RegistryOptions } from './types.ts'

export function addition(options: RegistryOptions, { has, view }: Domains): Pick<Registry, 'add'> {
  const { state, plan, platform, limit = 100, isDeployed, clock } = options
  const tooMany = { refused: 'too_many_domains', message: `There can be at most ${limit} domains.` } as const

  return {
    async add(typed) {
      if (plan === 'free') return { refused: 'plan_required' }
      const name = parseName(typed, [platform.domain, platform.cnameTarget])
      if ('invalid' in name) return { refused: 'invalid_domain', message: name.invalid }
      if (has(name.host)) return { refused: 'domain_exists' }
      if (ofUsers(state.current().domains).length >= limit) return tooMany
      if (!(await isDeployed())) return { refused: 'not_deployed' }
      const domain = newDomain(name, 'added', clock.now())
      const refused = await state.commit((draft) => {
        if (draft.domains.has(name.host)) return { refused: 'domain_exists' } as const
        if (ofUsers(draft.domains).length >= limit) return tooMany
        draft.domains.set(name.host, domain)
        draft.primary ??= name.host
        return undefined
      })
      return refused ?? view(domain)
    },
  }
}
