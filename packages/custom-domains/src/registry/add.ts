// Adds a domain, or an apex and its www name as a pair, if the limit and the host server allow it.
import { parseName } from '../dns/name.ts'
import { directed, type PairRedirect, pairOf } from '../dns/pair.ts'
import { newToken } from '../dns/proof.ts'
import { DomainError } from '../domain-error.ts'
import { type Domain, type DomainName, newDomain } from '../state/domain.ts'
import type { Draft, Snapshot } from '../state/snapshot.ts'
import { pairChoicesOf } from '../texts/pair-choices.ts'
import { type Domains, ofUsers } from './domains.ts'
import { redirect } from './redirect.ts'
import type { AddOptions, Registry, RegistryOptions } from './types.ts'

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
      checkRoom(wanted, state.current(), limit)
      for (const { host } of wanted.names) {
        const allowed = await allow(host, given.owner)
        if (allowed !== true) throw new DomainError('not_allowed', undefined, { reason: allowed || 'not_allowed' })
      }
      const now = clock.now()
      // Each has one token, which the response shows, too.
      const created = new Map(wanted.names.map((name) => [name.host, createdBy(name, now, given)]))
      const create = ({ host }: DomainName) => created.get(host) as Domain
      await state.commit((draft) => {
        checkRoom(wanted, draft, limit)
        addTo(draft, wanted, create, hasPrimary)
      })
      return view(create(wanted.name))
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

/** @throws DomainError */
function wantedOf(typed: string, redirect: PairRedirect | undefined, reserved: readonly string[]): Wanted {
  const name = parseName(typed, reserved)
  if ('invalid' in name) throw new DomainError('invalid_domain', name.invalid)
  if (!redirect) return { name, names: [name], from: [] }
  const pair = pairOf(name, reserved)
  if (!pair) {
    const message = `${name.host} cannot be added as a pair: only an apex and its www name can, such as example.com and www.example.com.`
    throw new DomainError('invalid_domain', message)
  }
  if (redirect === 'to-primary') return { name, names: [pair.apex, pair.www], from: [pair.apex, pair.www] }
  const { from, to } = directed(pair, redirect)
  return { name, names: [to, from], from: [from] }
}

/** @throws DomainError */
function checkRoom({ name, names, from }: Wanted, { domains, primary }: Snapshot, limit: number): void {
  if (domains.has(name.host)) throw new DomainError('domain_exists')
  const room = limit - ofUsers(domains).length
  if (names.filter(({ host }) => !domains.has(host)).length > room) {
    const message =
      room > 0
        ? `There is room for one more domain only: the limit is ${limit}.`
        : `You have reached the limit of ${limit} domains. Remove one first.`
    throw new DomainError('too_many_domains', message)
  }
  if (from.length === names.length && primary === undefined) throw new DomainError('no_primary')
  if (!from.some(({ host }) => host === primary)) return
  const message = `${primary} is the primary domain, which cannot redirect: let the other one redirect to it.`
  throw new DomainError('is_primary', message)
}

/** What a user has chosen before stays: the primary domain, and the status of a redirect. */
function addTo(draft: Draft, { names, from }: Wanted, create: (name: DomainName) => Domain, hasPrimary: boolean): void {
  for (const name of names) {
    if (!draft.domains.has(name.host)) draft.domains.set(name.host, create(name))
  }
  const [first] = names as [DomainName]
  if (hasPrimary) draft.primary ??= first.host
  const to = from.length === names.length ? (draft.primary as string) : first.host
  for (const { host } of from) if (!draft.redirects.has(host)) redirect(draft, host, { to, status: 301 })
}
