// The interface of the registry: the operations on domains, and their outcomes.
import type { RevocationReason } from '../certificates/issuer.ts'
import type { Revoker } from '../certificates/revoke.ts'
import type { Direction } from '../dns/pair.ts'
import type { Targets } from '../dns/records.ts'
import type { DnsVerifier } from '../dns/verify.ts'
import type { Worker } from '../maintenance/worker.ts'
import type { Redirect, RedirectStatus } from '../state/domain.ts'
import type { DomainState } from '../state/domain-state.ts'
import type { Damage } from '../state/records.ts'
import type { DomainView } from '../texts/types.ts'
import type { Health } from '../texts/view.ts'
import type { Clock } from '../time.ts'

/** `domain` is always served, empty for none; `cnameTarget` is what users' DNS records point to. */
export interface Platform {
  domain: string
  cnameTarget: string
}

export interface Overview {
  platform: Platform & Health
  /** Why changes cannot be saved at the moment, such as a full disk; absent otherwise. */
  unsaved?: string
  /** When the storage lost its latest changes, if that was within a day, and which domains are as they were before. */
  rewound?: Rewound
  /** The account at each certificate authority, once registered. CAA records name its URL in `accounturi`. */
  accounts: { authority: string; url: string }[]
  /** How many domains there are. */
  total: number
  /** How many of them the query finds. */
  count: number
  /** The page of these that the query names. */
  domains: DomainView[]
}

export interface Rewound {
  at: string
  domains: string[]
}

export interface ListQuery {
  /** Only the domains of this customer. */
  owner?: string | undefined
  /** A part of the name, also in its own script. Default: all domains. */
  search?: string | undefined
  /** In the order in which they were added, or those that need attention first. Default: `added`. */
  sort?: 'added' | 'attention' | undefined
  /** How many to skip. */
  offset?: number | undefined
  /** How many to return. Default: all. */
  limit?: number | undefined
}

/**
 * Whether a host may be served: asked before anything is stored for it, and at each attempt.
 * @param owner as `add` was given it
 * @returns true, or the reason why not, a code of the caller's own
 */
export type Allow = (host: string, owner?: string) => Promise<boolean | string>

export interface AddOptions {
  /** Also adds the missing counterpart of an apex or a www name, and the redirect of one of them, all or nothing. */
  pair?: Direction | undefined
  /** Whose domain it is, as you name the customer. */
  owner?: string | undefined
  /** What its record must point to, in place of the target of all. */
  target?: string | undefined
  /** What else you keep with it: JSON. */
  data?: unknown
  /**
   * Whether a TXT record must prove the ownership before the domain is served. Until then, another owner who has the record
   * in place takes the domain over. Default: false.
   */
  isProofRequired?: boolean | undefined
  /**
   * Makes other changes in the same save, before the redirect of a pair, which keeps an existing one. See `update`.
   * @param hosts those of the addition: of a pair, the one that redirects is the last
   */
  update?: ((update: Update, hosts: readonly string[]) => void) | undefined
}

/** Changes that are saved together. Hosts may be written in any form; an unknown one throws DomainError. */
export interface Update {
  find(host: string): Pick<DomainView, 'domain' | 'owner' | 'data'> | undefined
  /** By the host that redirects. */
  readonly redirects: ReadonlyMap<string, Redirect>
  /** Names that you give to single domains, such as the primary one of a site. A role ends with its domain. */
  readonly roles: {
    get(role: string): string | undefined
    set(role: string, host: string): void
    delete(role: string): void
  }
  /** Replaces what `add` was given as `data`. */
  setData(host: string, data: unknown): void
  /** See `Registry.redirect`. */
  redirect(host: string, to: string | false, status?: RedirectStatus): void
}

/** An apex and its www name: the host, and the other one. */
export interface Pair {
  host: string
  counterpart: string
}

/**
 * The operations on domains. Hosts may be written in any form that users type. A change that cannot be saved is not applied,
 * except that a removed domain is no longer served. All throw DomainError.
 */
export interface Registry {
  list(query?: ListQuery): Overview
  find(host: string): DomainView | undefined
  /** The certificates of all domains, the platform's own included; those that expire next come first. */
  certificates(): { domain: string; notAfter: string }[]
  /** The stored records that cannot be used. */
  damaged(): Damage[]
  add(host: string, options?: AddOptions): Promise<DomainView>
  /** The pair that a host could be added as, whatever has been added; undefined for other names than an apex or its www name. */
  pairOf(host: string): Pair | undefined
  /** The host with a role, if any. */
  roleOf(role: string): string | undefined
  /**
   * Makes several changes in one save, all or nothing: an error that `change` throws rejects, and nothing has changed.
   * @param change called again if another instance has saved something meanwhile, so it must have no other effect
   */
  update(change: (update: Update) => void): Promise<void>
  /** Starts an attempt to obtain a certificate, which goes on in the background, unless one is running. */
  verify(host: string): Promise<DomainView>
  /** Like verify, and orders a new certificate even if the present one is current. */
  reissue(host: string): Promise<DomainView>
  /** @param reason also revokes its certificate, even if the domain was removed before */
  remove(host: string, reason?: RevocationReason): Promise<void>
  /** Revokes its certificate: the domain is not live until it has a new one, which is ordered at once. */
  revoke(host: string, reason: RevocationReason): Promise<DomainView>
  /**
   * Redirects in one hop: what led to the host leads to the target then.
   * @param to of the same owner; false ends the redirect
   * @param status 301 by default
   */
  redirect(host: string, to: string | false, status?: RedirectStatus): Promise<DomainView>
}

export interface RegistryOptions {
  state: DomainState
  worker: Worker
  platform: Platform
  targets: Targets
  dns: Pick<DnsVerifier, 'hasText'>
  /** How many domains there may be. */
  limit: number
  allow: Allow
  revoker: Revoker
  rewound(): Rewound | undefined
  clock: Clock
}
