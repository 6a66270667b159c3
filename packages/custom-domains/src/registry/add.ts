// Adds a domain, or an apex and its www name as a pair, if the limit and the host server allow it.
import { parseName } from '../dns/name.ts'
import { type Direction, directed, pairOf } from '../dns/pair.ts'
import { proofToken } from '../dns/proof.ts'
import { DomainError } from '../domain-error.ts'
import { type Domain, type DomainName, newDomain } from '../state/domain.ts'
import type { Snapshot } from '../state/snapshot.ts'
import { checkClaim, dropDisputed, provenIfDisputed } from './claim.ts'
import { type Domains, ofUsers } from './domains.ts'
import { redirect } from './redirect.ts'
import type { AddOptions, Registry, RegistryOptions } from './types.ts'
import { updateOf } from './update.ts'

interface Wanted {
  name: DomainName
  /** The domain and its counterpart, if any, in the order of the list: the one that redirects is the last. */
  names: DomainName[]
  /** The domain that is to redirect to the first of `names`. */
  from?: DomainName
}

export function addition(options: RegistryOptions, { get, view }: Domains): Pick<Registry, 'add' | 'pairOf'> {
  const { state, platform, targets, limit, allow, dns, worker, clock } = options
  const reserved = [platform.domain, ...targets].filter(Boolean)

  /** @throws DomainError */
  function check(wanted: Wanted, claimed: ReadonlyMap<string, Domain>, snapshot: Snapshot): void {
    for (const domain of claimed.values()) checkClaim(domain, snapshot, state.damaged())
    const { host } = wanted.name
    const existing = snapshot.domains.get(host)
    if (existing && existing.owner === claimed.get(host)?.owner) throw new DomainError('domain_exists')
    checkRoom(wanted, snapshot, limit)
  }

  return {
    async add(typed, { pair, update, ...options } = {}) {
      const wanted = wantedOf(typed, pair, reserved)
      const now = clock.now()
      // Each has one token, which the response shows, too.
      const claimed = new Map<string, Domain>()
      for (const name of wanted.names) {
        const domain = createdBy(name, now, options, platform.cnameTarget)
        claimed.set(name.host, await provenIfDisputed(domain, state.current(), dns))
      }
      check(wanted, claimed, state.current())
      for (const { host } of wanted.names) {
        const allowed = await allow(host, options.owner)
        if (allowed !== true) throw new DomainError('not_allowed', undefined, { reason: allowed || 'not_allowed' })
      }
      await state.commit((draft) => {
        check(wanted, claimed, draft)
        for (const domain of claimed.values()) {
          dropDisputed(draft, domain)
          if (!draft.domains.has(domain.name.host)) draft.domains.set(domain.name.host, domain)
        }
        const hosts = wanted.names.map(({ host }) => host) as [string, ...string[]]
        update?.(updateOf(draft), hosts)
        const { from } = wanted // what a user has chosen before stays
        if (from && !draft.redirects.has(from.host)) redirect(draft, from.host, { to: hosts[0], status: 301 })
      })
      for (const [host, { proof }] of claimed) if (proof?.provenAt !== undefined) await worker.stop(host)
      const { host } = wanted.name
      /* c8 ignore next -- another instance may have removed it just now */
      return view(get(host) ?? (claimed.get(host) as Domain))
    },

    pairOf(typed) {
      const name = parseName(typed, reserved)
      const pair = 'invalid' in name ? undefined : pairOf(name, reserved)
      if ('invalid' in name || !pair) return undefined
      return { host: name.host, counterpart: (pair.apex === name ? pair.www : pair.apex).host }
    },
  }
}

function createdBy(
  name: DomainName,
  now: Date,
  { owner, target, data, isProofRequired }: AddOptions,
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
function wantedOf(typed: string, direction: Direction | undefined, reserved: readonly string[]): Wanted {
  const name = parseName(typed, reserved)
  if ('invalid' in name) throw new DomainError('invalid_domain', name.invalid)
  if (!direction) return { name, names: [name] }
  const pair = pairOf(name, reserved)
  if (!pair) {
    const message = `${name.host} cannot be added as a pair: only an apex and its www name can, such as example.com and www.example.com.`
    throw new DomainError('invalid_domain', message)
  }
  const { from, to } = directed(pair, direction)
  return { name, names: [to, from], from }
}

/** @throws DomainError */
function checkRoom({ names }: Wanted, { domains }: Snapshot, limit: number): void {
  if (domains.size + names.length <= limit) return // nothing to count, which takes long for many
  const room = limit - ofUsers(domains).length
  if (names.filter(({ host }) => !domains.has(host)).length <= room) return
  const message =
    room > 0
      ? `There is room for one more domain only: the limit is ${limit}.`
      : `You have reached the limit of ${limit} domains. Remove one first.`
  throw new DomainError('too_many_domains', message)
}
