// The domains and everything that is saved with them: as it is changed, and as it is served.
import type { Backoff, Domain, PlacedOrder, Redirect } from './domain.ts'
import { copyOf } from './layered-map.ts'
import type { Message } from './message.ts'

export interface Draft {
  /** The domains by host, in the order in which they were added. */
  domains: Map<string, Domain>
  /** By the host that redirects. */
  redirects: Map<string, Redirect>
  /** The hosts that the application has given roles, by role, such as the primary domain of a site. */
  roles: Map<string, string>
  /** The key authorizations of pending challenges, by token, where instances share the storage. */
  challenges: Map<string, string>
  /** Backoffs that authorities asked for, by directory URL and scope; each is kept until an order succeeds. */
  backoffs: Map<string, Backoff>
  /** The address of the account at each authority, by directory URL. */
  accounts: Map<string, string>
  /** The keys whose certificates have been revoked, by their identifier, each with the end of its certificate. */
  revoked: Map<string, string>
  /** The orders that rate limits may count, by an id. */
  orders: Map<string, PlacedOrder>
  /** Webhook messages by id, the oldest first. */
  outbox: Map<string, Message>
}

type Frozen<Value> = Value extends Map<infer Key, infer Item> ? ReadonlyMap<Key, Item> : Value
export type Snapshot = { readonly [Key in keyof Draft]: Frozen<Draft[Key]> }

export const emptySnapshot: Snapshot = {
  domains: new Map(),
  redirects: new Map(),
  roles: new Map(),
  challenges: new Map(),
  backoffs: new Map(),
  accounts: new Map(),
  revoked: new Map(),
  orders: new Map(),
  outbox: new Map(),
}

export function draftOf(snapshot: Snapshot): Draft {
  const copies = Object.entries(snapshot).map(([key, map]) => [key, copyOf<unknown>(map)])
  return Object.fromEntries(copies)
}
