// The door of the package: custom domains for any Node.js server, and what the author of a storage needs.
export type { RevocationReason } from './certificates/issuer.ts'
export {
  type App,
  type CustomDomains,
  type CustomDomainsOptions,
  customDomains,
  type DomainFacts,
  type ListenOptions,
} from './custom-domains.ts'
export { DomainError, type RejectionCode } from './domain-error.ts'
export { hostOf } from './domain-name.ts'
export { damagedRecords, type ExportedFiles, type ExportOptions, exportFiles } from './files/export.ts'
export { BATCH, fileStorage, parseBatch } from './files/storage.ts'
export type { Log } from './maintenance/log.ts'
export type { RequiredRecord } from './problems/required-record.ts'
export type { AddOptions, Allow, Overview, Registry } from './registry/index.ts'
export { parseConfiguration } from './state/configuration.ts'
export type { Domain, Problem, ProblemCode, RedirectStatus } from './state/domain.ts'
export {
  BrokenStateError,
  ConflictError,
  type DomainStorage,
  LeadershipLostError,
  type Listener,
  type Loaded,
  type RecordChange,
  type RecordKind,
  type Secret,
  type SecretKind,
  type SharedStorage,
  StorageUnavailableError,
  type StoredRecord,
} from './state/storage.ts'
export type { DomainView, PairChoices } from './texts/types.ts'
export { testEvent } from './webhook/events.ts'
export { type Receiver, sender } from './webhook/send.ts'
