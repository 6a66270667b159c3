// The interface of storage for the state, the certificates and the account keys: files (files/), or a database.
import type { Configuration } from './configuration.ts'
import type { Domain } from './domain.ts'

export interface StoredState {
  domains: Domain[]
  /** The configuration that belongs to this state, as text, until it is known to be saved as well. */
  configuration?: string
}

/** Writes are atomic and durable. Every function may reject with a system error. */
export interface DomainStorage {
  loadState(): Promise<StoredState>
  saveState(state: StoredState): Promise<void>
  /** @throws with a line that says what is wrong with it */
  loadConfiguration(): Promise<Configuration>
  saveConfiguration(configuration: Configuration): Promise<void>
  /** Key and chain in one PEM. It outlives the removal of its domain. */
  loadCertificate(host: string): Promise<string | undefined>
  saveCertificate(host: string, pem: string): Promise<void>
  loadAccountKey(directoryUrl: string): Promise<string | undefined>
  saveAccountKey(directoryUrl: string, pem: string): Promise<void>
  close(): Promise<void>
}
