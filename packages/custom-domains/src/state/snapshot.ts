// The domains and everything that is saved with them: as it is changed, as it is served, and as it is stored.
import { type Configuration, parseConfiguration } from './configuration.ts'
import type { Backoff, Domain, PlacedOrder, RedirectStatus } from './domain.ts'
import type { Message } from './message.ts'

export interface Draft extends Configuration {
  /** By host, in the order in which they were added. */
  domains: Map<string, Domain>
  redirects: Map<string, RedirectStatus>
  /** The key authorizations of pending challenges, by token, where instances share the state. */
  challenges: Map<string, string>
  /** Backoffs that authorities asked for, by directory URL and scope; each is kept until an order succeeds. */
  backoffs: Map<string, Backoff>
  /** The address of the account at each authority, by directory URL. */
  accounts: Map<string, string>
  /** The keys whose certificates have been revoked, by their identifier, each with the end of its certificate. */
  revoked: Map<string, string>
  /** The orders that rate limits may count, the oldest first. */
  orders: readonly PlacedOrder[]
  /** Webhook messages, the oldest first. */
  outbox: readonly Message[]
}

type Frozen<Value> = Value extends Map<infer Key, infer Item> ? ReadonlyMap<Key, Item> : Value
export type Snapshot = { readonly [Key in keyof Draft]: Frozen<Draft[Key]> }

type Json<Value> = Value extends Map<string, infer Item> ? Record<string, Item> : Value

/** As JSON, without what is empty. */
export type StoredState = { [Key in Exclude<keyof Draft, keyof Configuration | 'domains'>]?: Json<Draft[Key]> } & {
  domains: Domain[]
  /** The configuration that belongs to this state, as text, until it is known to be saved as well. */
  configuration?: string
}

export const emptySnapshot: Snapshot = snapshotOf({ domains: [] }, { redirects: new Map() })

export function draftOf(snapshot: Snapshot): Draft {
  const copies = Object.entries(snapshot).map(([key, value]) => [key, value instanceof Map ? new Map(value) : value])
  return Object.fromEntries(copies)
}

/** @param configuration counts unless the state has a copy that was not saved yet */
export function snapshotOf(stored: StoredState, configuration: Configuration): Snapshot {
  const { domains, configuration: copy, orders = [], outbox = [] } = stored
  const mapOf = <Item>(items: Record<string, Item> = {}) => new Map(Object.entries(items))
  return {
    ...(copy === undefined ? configuration : parseConfiguration(copy, 'the state')),
    domains: new Map(domains.map((domain) => [domain.name.host, domain])),
    challenges: mapOf(stored.challenges),
    backoffs: mapOf(stored.backoffs),
    accounts: mapOf(stored.accounts),
    revoked: mapOf(stored.revoked),
    orders,
    outbox,
  }
}

/** @param configuration a copy, unless that is saved already */
export function storedOf(snapshot: Snapshot, configuration: string | undefined): StoredState {
  const { primary, redirects, domains, ...others } = snapshot
  const filled = Object.entries(others)
    .map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value])
    .filter(([, value]) => Object.keys(value).length > 0)
  return {
    domains: [...domains.values()],
    ...(configuration !== undefined && { configuration }),
    ...Object.fromEntries(filled),
  }
}
