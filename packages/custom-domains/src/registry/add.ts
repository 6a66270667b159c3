// Adds a domain, or an apex and its www name as a pair, if the limit and the host server allow it.
import { parseName } from '../dns/name.ts'
import { directed, type PairRedirect, pairOf } from '../dns/pair.ts'
import { newToken } from '../dns/proof.ts'
import { type Domain, type DomainName, newDomain } from '../state/domain.ts'
import type { Draft, Snapshot } from '../state/snapshot.ts'
import { pairChoicesOf } from '../texts/pair-choices.ts'
import { type Domains, ofUsers } from './domains.ts'
import { redirect } from './redirect.ts'
import type { AddOptions, Registry, RegistryOptions, Rejection } from './types.ts'

interface Wanted {
  name: DomainName
  /** The domain and its counterpart, if any, in the order of the list: the one that redirects is the last. */
  names: DomainName[]
  /** The domains that are to redirect: to the first of `names`, or to the primary domain. */
  from: DomainName[]
}

export function addition(options: RegistryOptions, { view }: Domains): Pick<Registry, 'add' | 'pairChoices'> {
  const { state, platform, targets, limit, hasPrimary, allow, clock } = options
  const reserved = [platform.domain, ...targets].filter(Boolean)

  return {
    async add(typed, { pair, ...given } = {}) {
      const wanted = wantedOf(typed, pair, reserved)
      if ('rejected' in wanted) return wanted
      const rejected = rejectionOf(wanted, state.current(), limit)
      if (rejected) return rejected
      for (const { host } of wanted.names) {
        const allowed = await allow(host, given.owner)
        if (allowed !== true) return { rejected: 'not_allowed', reason: allowed || 'not_allowed' } as const
      }
      const now = clock.now()
      const create = (name: DomainName) => createdBy(name, now, given)
      const rejectedNow = await state.commit(
        (draft) => rejectionOf(wanted, draft, limit) ?? addTo(draft, wanted, create, hasPrimary),
      )
      return rejectedNow ?? view(create(wanted.name))
    },

    pairChoices(typed) {
      const name = parseName(typed, reserved)
      const pair = 'invalid' in name ? undefined : pairOf(name, reserved)
      const snapshot = state.current()
      if ('invalid' in name || !pair || snapshot.domains.has(name.host)) return { choices: [] }
      return pairChoicesOf(name, pair, snapshot)
    },
  }
}

function createdBy(
  name: DomainName,
  now: Date,
  { owner, target, data, isProofRequired }: Omit<AddOptions, 'pair'>,
): Domain {
  return newDomain(name, 'added', now, {
    ...(owner !== undefined && { owner }),
    ...(target !== undefined && { target }),
    ...(data !== undefined && { data }),
    ...(isProofRequired && { proof: { token: newToken() } }),
  })
}

function wantedOf(
  typed: string,
  redirect: PairRedirect | undefined,
  reserved: readonly string[],
): Wanted | Rejection<'invalid_domain'> {
  const name = parseName(typed, reserved)
  if ('invalid' in name) return { rejected: 'invalid_domain', message: name.invalid }
  if (!redirect) return { name, names: [name], from: [] }
  const pair = pairOf(name, reserved)
  if (!pair) {
    const message = `${name.host} cannot be added as a pair: only an apex and its www name can, such as example.com and www.example.com.`
    return { rejected: 'invalid_domain', message }
  }
  if (redirect === 'to-primary') return { name, names: [pair.apex, pair.www], from: [pair.apex, pair.www] }
  const { from, to } = directed(pair, redirect)
  return { name, names: [to, from], from: [from] }
}

function rejectionOf({ name, names, from }: Wanted, { domains, primary }: Snapshot, limit: number) {
  if (domains.has(name.host)) return { rejected: 'domain_exists' } as const
  const room = limit - ofUsers(domains).length
  if (names.filter(({ host }) => !domains.has(host)).length > room) {
    const message =
      room > 0
        ? `There is room for one more domain only: the limit is ${limit}.`
        : `You have reached the limit of ${limit} domains. Remove one first.`
    return { rejected: 'too_many_domains', message } as const
  }
  if (from.length === names.length && primary === undefined) return { rejected: 'no_primary' } as const
  if (!from.some(({ host }) => host === primary)) return undefined
  const message = `${primary} is the primary domain, which cannot redirect: let the other one redirect to it.`
  return { rejected: 'is_primary', message } as const
}

/** What a user has chosen before stays: the primary domain, and the status of a redirect. */
function addTo(
  draft: Draft,
  { names, from }: Wanted,
  create: (name: DomainName) => Domain,
  hasPrimary: boolean,
): undefined {
  for (const name of names) {
    if (!draft.domains.has(name.host)) draft.domains.set(name.host, create(name))
  }
  const [first] = names as [DomainName]
  if (hasPrimary) draft.primary ??= first.host
  const to = from.length === names.length ? (draft.primary as string) : first.host
  for (const { host } of from) if (!draft.redirects.has(host)) redirect(draft, host, { to, status: 301 })
}
