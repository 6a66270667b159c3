// What is kept of the domains, and of what certificates need. Files keep it (files/); a database could.
import type { Configuration } from './configuration.ts'
import type { Domain } from './domain.ts'

export interface State {
  domains: Domain[]
  /** The configuration that belongs to it, as text, while it is not certain that it has been saved as well. */
  configuration?: string
}

/** What has been saved is whole, whenever the process ends. Every function may reject with an error of the system. */
export interface DomainStorage {
  loadState(): Promise<State>
  saveState(state: State): Promise<void>
  /** @throws with a line that says what is wrong with it */
  loadConfiguration(): Promise<Configuration>
  saveConfiguration(configuration: Configuration): Promise<void>
  /** Key and chain, in one PEM. It outlives the removal of its domain. */
  loadCertificate(host: string): Promise<string | undefined>
  saveCertificate(host: string, pem: string): Promise<void>
  loadAccountKey(directoryUrl: string): Promise<string | undefined>
  saveAccountKey(directoryUrl: string, pem: string): Promise<void>
  close(): Promise<void>
}
