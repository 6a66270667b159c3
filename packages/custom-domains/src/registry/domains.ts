// Finds users' domains and renders them; the platform's own domain is rendered separately.
import { DomainError } from '../domain-error.ts'
import type { Domain } from '../state/domain.ts'
import type { DomainView } from '../texts/types.ts'
import { healthOf, viewOf } from '../texts/view.ts'
import type { Overview, RegistryOptions } from './types.ts'

export type Domains = ReturnType<typeof usersDomains>

export function usersDomains({ state, worker, platform, clock }: RegistryOptions) {
  /** Found once for a list of any length. */
  let redirectTargets = { of: undefined as unknown, hosts: new Set<string>() }

  function view(domain: Domain): DomainView {
    const snapshot = state.current()
    const { redirects } = snapshot
    if (redirectTargets.of !== redirects)
      redirectTargets = { of: redirects, hosts: new Set(Array.from(redirects.values(), ({ to }) => to)) }
    return viewOf(domain, {
      snapshot,
      redirectTargets: redirectTargets.hosts,
      target: platform.cnameTarget,
      progress: progressOf(domain),
      now: clock.now(),
    })
  }

  function viewPlatform(): Overview['platform'] {
    const platformDomain = [...state.current().domains.values()].find(({ isPlatform }) => isPlatform)
    return {
      ...platform,
      ...(platformDomain && healthOf(platformDomain, { target: platform.cnameTarget, now: clock.now() })),
    }
  }

  /** Another instance may be working on the request. */
  function progressOf({ name, state, isRequested }: Domain): Domain['state'] | undefined {
    const isUnderWay = state === 'verified' || state === 'issuing'
    return worker.progressOf(name.host) ?? (isRequested ? (isUnderWay ? state : 'verifying') : undefined)
  }

  function get(host: string): Domain | undefined {
    const domain = state.current().domains.get(host)
    return domain?.isPlatform ? undefined : domain
  }

  /** @throws DomainError */
  function known(host: string): Domain {
    const domain = get(host)
    if (domain) return domain
    throw new DomainError('domain_not_found')
  }

  const has = (host: string) => get(host) !== undefined
  return { get, has, known, view, viewPlatform, progressOf }
}

export function ofUsers(domains: ReadonlyMap<string, Domain>): Domain[] {
  return [...domains.values()].filter(({ isPlatform }) => !isPlatform)
}
