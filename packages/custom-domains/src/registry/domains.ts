// Finds users' domains and renders them; the platform's own domain is rendered separately.
import type { Domain } from '../state/domain.ts'
import type { DomainView } from '../texts/types.ts'
import { healthOf, viewOf } from '../texts/view.ts'
import type { Overview, RegistryOptions, Unknown } from './types.ts'

export const unknown: Unknown = { rejected: 'domain_not_found' }

export type Domains = ReturnType<typeof usersDomains>

export function usersDomains({ state, worker, platform, clock }: RegistryOptions) {
  function view(domain: Domain): DomainView {
    const { cnameTarget: target } = platform
    return viewOf(domain, { snapshot: state.current(), target, progress: progressOf(domain), now: clock.now() })
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

  /** The domain may have been removed since. */
  function find(host: string): DomainView | Unknown {
    const domain = get(host)
    return domain ? view(domain) : unknown
  }

  const has = (host: string) => get(host) !== undefined
  return { get, has, find, view, viewPlatform, progressOf }
}

export function ofUsers(domains: ReadonlyMap<string, Domain>): Domain[] {
  return [...domains.values()].filter(({ isPlatform }) => !isPlatform)
}
