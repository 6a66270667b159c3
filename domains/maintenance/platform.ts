// The platform's own domain, among the others: it gets its certificate as they do, and before them.
import type { DomainName } from '../state/domain.ts'
import { newDomain } from '../state/domain.ts'
import type { DomainState, Draft } from '../state/domain-state.ts'

/**
 * Adds it, due at once, unless it is there. A former platform domain is dropped.
 * @param name undefined where no certificate can be issued for it
 */
export async function adoptPlatform(state: DomainState, name: DomainName | undefined, now: Date): Promise<void> {
  const { domains } = state.current()
  const hosts = [...domains.values()].filter(({ isPlatform }) => isPlatform).map((domain) => domain.name.host)
  if (hosts.join() === (name?.host ?? '')) return

  const adopt = (draft: Draft) => {
    const known = name && draft.domains.get(name.host)
    const others = [...draft.domains].filter(([host, { isPlatform }]) => !isPlatform && host !== name?.host)
    draft.domains.clear()
    if (name) draft.domains.set(name.host, { ...(known ?? newDomain(name, 'verifying', now)), isPlatform: true })
    for (const [host, domain] of others) draft.domains.set(host, domain)
  }
  await state.apply(adopt)
}
