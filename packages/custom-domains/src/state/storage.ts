// The storage interface for the state, the certificates and the account keys, in files or in a database.
import type { Configuration } from './configuration.ts'
import type { StoredState } from './snapshot.ts'

/** Another instance has saved the state: load it, and repeat the change. */
export class ConflictError extends Error {}

/** Another instance leads now. */
export class LeadershipLostError extends Error {}

/** The storage cannot respond at the moment. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError'
  /** When to retry. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface Listener {
  /** Another instance has saved the state, which must be served once this resolves. */
  onChange(): Promise<void>
  /** This instance has become the leader, or no longer is. */
  onLeadership(isLeader: boolean): void
  /** Called every few seconds while the state is current. */
  onHeartbeat(): void | Promise<void>
}

/** For instances that share a storage: each serves all domains, and one of them, the leader, obtains certificates. */
export interface SharedStorage {
  /** Joins the other instances. */
  join(listener: Listener): Promise<void>
  /** Resolves when every instance serves the state as this one has it, or has stopped serving. */
  whenAcknowledged(): Promise<void>
  /** False while another instance may have removed a domain without this one knowing. */
  isCurrent(): boolean
}

/**
 * A certificate is the key and the chain in one PEM; an order is one in progress. Both are named by their host, an account
 * key by the directory URL.
 */
export type SecretKind = 'certificate' | 'order' | 'account'

/** A text that contains a private key. */
export interface Secret {
  kind: SecretKind
  name: string
  text: string
}

/** Writes are atomic and durable. Every function may reject, with StorageUnavailableError if a retry may succeed. */
export interface DomainStorage {
  loadState(): Promise<StoredState>
  /** @param asLeader saves only if this instance leads @throws ConflictError, LeadershipLostError */
  saveState(state: StoredState, asLeader?: boolean): Promise<void>
  /** @throws with a line on what is wrong with it */
  loadConfiguration(): Promise<Configuration>
  /** Absent where the stored state always contains the configuration. */
  saveConfiguration?(configuration: Configuration): Promise<void>
  /** Secrets outlive the removal of their domain. */
  loadSecret(kind: SecretKind, name: string): Promise<string | undefined>
  /** As the leader, where there are several instances. @param text undefined deletes it */
  saveSecret(kind: SecretKind, name: string, text: string | undefined): Promise<void>
  /**
   * Any instance may do so.
   * @param former replaced if it is still the stored text; undefined: if none is stored
   */
  replaceSecret(kind: SecretKind, name: string, former: string | undefined, text: string): Promise<void>
  close(): Promise<void>
  /** Absent where the storage belongs to one process. */
  shared?: SharedStorage
}
