// Adds a domain, or an apex and its www name as a pair, if the limit and the host server allow it.
import { parseName } from '../dns/name.ts'
import { directed, type PairRedirect, pairOf } from '../dns/pair.ts'
import { proofToken } from '../dns/proof.ts'
import { DomainError } from '../domain-error.ts'
import { type Domain, type DomainName, newDomain } from '../state/domain.ts'
import type { Draft, Snapshot } from '../state/snapshot.ts'
import { pairChoicesOf } from '../texts/pair-choices.ts'
import { checkClaim, dropDisputed, provenIfDisputed } from './claim.ts'
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
  const { state, platform, targets, limit, hasPrimary, allow, dns, worker, clock } = options
  const reserved = [platform.domain, ...targets].filter(Boolean)

  return {
    async add(typed, { pair, ...given } = {}) {
      const wanted = wantedOf(typed, pair, reserved)
      const now = clock.now()
      // Each has one token, which the response shows, too.
      const claimed = new Map<string, Domain>()
      for (const name of wanted.names) {
        const domain = createdBy(name, now, given, platform.cnameTarget)
        claimed.set(name.host, await provenIfDisputed(domain, state.current(), dns))
      }
      check(wanted, claimed, state.current(), limit)
      for (const { host } of wanted.names) {
        const allowed = await allow(host, given.owner)
        if (allowed !== true) throw new DomainError('not_allowed', undefined, { reason: allowed || 'not_allowed' })
      }
      await state.commit((draft) => {
        check(wanted, claimed, draft, limit)
        addTo(draft, wanted, claimed, hasPrimary)
      })
      for (const [host, { proof }] of claimed) if (proof?.provenAt !== undefined) await worker.stop(host)
      return view(claimed.get(wanted.name.host) as Domain)
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
  platformTarget: string,
): Domain {
  return newDomain(name, 'added', now, {
    ...(owner !== undefined && { owner }),
    ...(target !== undefined && { target }),
    ...(data !== undefined && { data }),
    ...(isProofRequired && { proof: { token: proofToken(platformTarget, name.host, owner) } }),
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
function check(wanted: Wanted, claimed: ReadonlyMap<string, Domain>, snapshot: Snapshot, limit: number): void {
  for (const domain of claimed.values()) checkClaim(domain, snapshot)
  const { host } = wanted.name
  const existing = snapshot.domains.get(host)
  if (existing && existing.owner === claimed.get(host)?.owner) throw new DomainError('domain_exists')
  checkRoom(wanted, snapshot, limit)
}

/** @throws DomainError */
function checkRoom({ names, from }: Wanted, { domains, primary }: Snapshot, limit: number): void {
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
function addTo(draft: Draft, { names, from }: Wanted, claimed: ReadonlyMap<string, Domain>, hasPrimary: boolean): void {
  for (const [host, domain] of claimed) {
    dropDisputed(draft, domain)
    if (!draft.domains.has(host)) draft.domains.set(host, domain)
  }
  const [first] = names as [DomainName]
  if (hasPrimary) draft.primary ??= first.host
  const to = from.length === names.length ? (draft.primary as string) : first.host
  for (const { host } of from) if (!draft.redirects.has(host)) redirect(draft, host, { to, status: 301 })
}
