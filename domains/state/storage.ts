// The storage interface for the state, the certificates and the account keys, in files or in a database.
import type { Configuration } from './configuration.ts'
import type { StoredState } from './snapshot.ts'

/** Another instance has saved the state: load it, and repeat the change. */
export class ConflictError extends Error {}

/** Another instance leads now. */
export class LeadershipLostError extends Error {}

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

/** A text that contains a private key. An account key is named by the directory URL, the others by their host. */
export interface Secret {
  kind: 'certificate' | 'order' | 'account'
  name: string
  text: string
}

/** Writes are atomic and durable. Every function may reject with a system error. */
export interface DomainStorage {
  loadState(): Promise<StoredState>
  /** @param asLeader saves only if this instance leads @throws ConflictError, LeadershipLostError */
  saveState(state: StoredState, asLeader?: boolean): Promise<void>
  /** @throws with a line on what is wrong with it */
  loadConfiguration(): Promise<Configuration>
  /** Absent where the stored state always contains the configuration. */
  saveConfiguration?(configuration: Configuration): Promise<void>
  /** Key and chain in one PEM. It outlives the removal of its domain. */
  loadCertificate(host: string): Promise<string | undefined>
  saveCertificate(host: string, pem: string): Promise<void>
  /** A certificate order in progress, with its private key. It outlives the removal of its domain. */
  loadOrder(host: string): Promise<string | undefined>
  /** @param order undefined deletes it */
  saveOrder(host: string, order: string | undefined): Promise<void>
  loadAccountKey(directoryUrl: string): Promise<string | undefined>
  saveAccountKey(directoryUrl: string, pem: string): Promise<void>
  /** Replaces a text if it is still the stored one. Any instance may do so. */
  replaceSecret(kind: 'certificate' | 'account', name: string, former: string, text: string): Promise<void>
  close(): Promise<void>
  /** Absent where the storage belongs to one process. */
  shared?: SharedStorage
}
