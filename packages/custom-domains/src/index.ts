// The door of the package: custom domains for any Node.js server.
export type { RevocationReason } from './certificates/issuer.ts'
export {
  type App,
  type CustomDomains,
  type CustomDomainsOptions,
  customDomains,
  type ListenOptions,
} from './custom-domains.ts'
export { DomainError, type RejectionCode } from './domain-error.ts'
export { hostOf } from './domain-name.ts'
export { fileStorage } from './files/storage.ts'
export type { Log } from './maintenance/log.ts'
export type { AddOptions, Allow, ListQuery, Overview, Pair, Update } from './registry/index.ts'
export type { Problem, ProblemCode, RedirectStatus } from './state/domain.ts'
export { BrokenStateError, type DomainStorage, StorageUnavailableError } from './state/storage.ts'
export type { DomainView } from './texts/types.ts'
export type { Receiver } from './webhook/send.ts'
