// The domains of one site: the documentation is served at the primary domain, which others redirect to.
import type { CustomDomains, DomainView, ListQuery, Overview, RedirectStatus } from 'custom-domains'
import { type PairChoices, type PairRedirect, pairChoicesOf } from './pair-choices.ts'

/** The role of the primary domain. */
export const PRIMARY = 'primary'

type SiteDomain = DomainView & { isPrimary: boolean }
type SiteOverview = Omit<Overview, 'domains'> & { primary?: string; domains: SiteDomain[] }

/** A change that the rules of the site do not allow. */
export class SiteError extends Error {
  override readonly name = 'SiteError'
  readonly code: 'domain_not_found' | 'is_primary' | 'no_primary'

  constructor(code: SiteError['code'], message?: string) {
    super(message)
    this.code = code
  }
}

export type Site = ReturnType<typeof siteOf>

/** The operations throw while the storage is unreachable. */
export function siteOf(
  domains: Pick<CustomDomains, 'list' | 'find' | 'add' | 'pairOf' | 'roleOf' | 'update' | 'redirect'> &
    Pick<CustomDomains, 'remove' | 'revoke' | 'verify' | 'reissue'>,
) {
  const primary = () => domains.roleOf(PRIMARY)
  const viewOf = (domain: DomainView): SiteDomain => ({ ...domain, isPrimary: domain.domain === primary() })

  function find(host: string): SiteDomain | undefined {
    const domain = domains.find(host)
    return domain && viewOf(domain)
  }

  function viewing<Args extends unknown[]>(operation: (...args: Args) => Promise<DomainView>) {
    return async (...args: Args): Promise<SiteDomain> => viewOf(await operation(...args))
  }

  /** @throws SiteError */
  function known(host: string): SiteDomain {
    const domain = find(host)
    if (domain) return domain
    /* c8 ignore next -- another instance has just removed it */
    throw new SiteError('domain_not_found')
  }

  return {
    find,
    remove: (...request: Parameters<CustomDomains['remove']>) => domains.remove(...request),
    verify: viewing(domains.verify),
    reissue: viewing(domains.reissue),
    revoke: viewing(domains.revoke),

    list(query: ListQuery): SiteOverview {
      const { domains: found, ...overview } = domains.list(query)
      const host = primary()
      return { ...overview, ...(host !== undefined && { primary: host }), domains: found.map(viewOf) }
    },

    /** The first domain becomes the primary one. */
    async add(host: string, pair?: PairRedirect): Promise<SiteDomain> {
      const added = await domains.add(host, {
        pair: pair === 'to-primary' ? 'to-www' : pair,
        update({ roles, redirects, redirect }, hosts) {
          const [first] = hosts as [string]
          const isToPrimary = pair === 'to-primary'
          const sources = isToPrimary ? hosts : hosts.slice(1)
          const target = roles.get(PRIMARY)
          if (target === undefined && isToPrimary) throw new SiteError('no_primary')
          if (target === undefined) return roles.set(PRIMARY, first)
          if (sources.includes(target)) {
            const advice = 'which cannot redirect: let the other one redirect to it.'
            throw new SiteError('is_primary', `${target} is the primary domain, ${advice}`)
          }
          if (isToPrimary) for (const source of sources) if (!redirects.has(source)) redirect(source, target)
        },
      })
      return viewOf(added)
    },

    pairChoices(host: string): PairChoices {
      const pair = domains.pairOf(host)
      if (!pair || domains.find(pair.host)) return { choices: [] }
      return pairChoicesOf(pair, { primary: primary(), find: domains.find })
    },

    /** What redirected to the former primary domain then redirects to this one. */
    async setPrimary(host: string): Promise<SiteDomain> {
      await domains.update(({ roles, redirects, redirect }) => {
        const former = roles.get(PRIMARY)
        redirect(host, false)
        roles.set(PRIMARY, host)
        for (const [source, { to, status }] of redirects) if (to === former) redirect(source, host, status)
      })
      return known(host)
    },

    /** Redirects a domain to the primary one. */
    async redirect(host: string, status?: RedirectStatus): Promise<SiteDomain> {
      await domains.update(({ roles, find, redirect }) => {
        const source = find(host)
        const target = roles.get(PRIMARY)
        if (!source) throw new SiteError('domain_not_found')
        if (target === undefined) throw new SiteError('no_primary')
        if (source.domain === target) throw new SiteError('is_primary')
        redirect(host, target, status)
      })
      return known(host)
    },
    async endRedirect(host: string): Promise<SiteDomain> {
      return viewOf(await domains.redirect(host, false))
    },
  }
}
