// The interface of storage for the state, the certificates and the account keys: files (files/), or a database.
import type { Configuration } from './configuration.ts'
import type { Domain } from './domain.ts'
import type { Hold } from './hold.ts'
import type { Message } from './message.ts'

export interface StoredState {
  domains: Domain[]
  /** The configuration that belongs to this state, as text, until it is known to be saved as well. */
  configuration?: string
  /** The key authorizations of pending challenges, by token, where instances share the state. */
  challenges?: Record<string, string>
  /** The authorities that ask to wait, by directory URL. */
  holds?: Record<string, Hold>
  /** Messages for the webhook that are not delivered yet. */
  outbox?: readonly Message[]
}

/** Another instance has saved the state in the meantime: load it, and change that one. */
export class ConflictError extends Error {}

/** Another instance is now the one that works. */
export class WorkLostError extends Error {}

/** Told of what concerns this instance. */
export interface Listener {
  /** Another instance has saved the state, which must be served once this resolves. */
  onChange(): Promise<void>
  /** This instance is now the one that obtains and renews certificates, or no longer is. */
  onWork(works: boolean): void
  /** Called every few seconds while the state is current. */
  onBeat(): void
}

/** For instances that share a storage: each serves all domains, and one at a time works on them. */
export interface SharedStorage {
  /** Takes part from now on. */
  join(listener: Listener): Promise<void>
  /** Resolves when every instance serves the state as this one has it, or has stopped serving. */
  spread(): Promise<void>
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
  /** @param isWork only if this instance is the one that works @throws ConflictError, WorkLostError */
  saveState(state: StoredState, isWork?: boolean): Promise<void>
  /** @throws with a line that says what is wrong with it */
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
  close(): Promise<void>
  /** Absent where the storage belongs to one process. */
  shared?: SharedStorage
}
