// The storage interface, in files or in a database: records of one domain, one message and so on, and the private keys.

/**
 * What a record is about, and its name: a domain and its redirect by host, a webhook message and a placed
 * order by id, a pending challenge by token, a backoff by directory URL and scope, the URL of an account by directory URL,
 * and the end of a revoked certificate by the identifier of its key.
 */
export const recordKinds = [
  'domain',
  'redirect',
  'message',
  'order',
  'challenge',
  'backoff',
  'account',
  'revoked',
] as const

export type RecordKind = (typeof recordKinds)[number]

export function isRecordKind(kind: string): kind is RecordKind {
  return recordKinds.some((known) => known === kind)
}

/** Whether the record is a role of the application. */
export function isRole({ kind, name }: Pick<RecordChange, 'kind' | 'name'>): boolean {
  return name === '' && !isRecordKind(kind)
}

/** A record as it is saved. */
export interface RecordChange {
  /** A RecordKind, or a role of the application: the host that has it is a record with an empty name. */
  kind: string
  name: string
  /** JSON; undefined where the record is deleted. */
  value: unknown
}

/** A record as it is loaded. */
export interface StoredRecord extends RecordChange {
  /** Why the value cannot be read: then only this record is affected. If its name cannot either, that is the SHA-256 of it. */
  fault?: string
}

export interface Loaded {
  /** Identifies this state of the storage, to that storage. */
  version: string
  /** False if these are only the records that changed since the version that was passed. */
  isWhole: boolean
  /** The storage does not have that version: it was restored, or is now a copy that lacked the last changes. */
  isRewound?: boolean
  records: StoredRecord[]
}

/** The stored state cannot be used: only an operator can repair or delete it. */
export class BrokenStateError extends Error {}

/** Another instance has saved something since: load that, and repeat the change. */
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
  /** Another instance has saved something, which must be served once this resolves. */
  onChange(): Promise<void>
  /** This instance has become the leader, or no longer is. */
  onLeadership(isLeader: boolean): void
}

/** How instances share a storage: each serves all domains, and one of them, the leader, obtains certificates. */
export interface SharedStorage {
  /** Joins the other instances. */
  join(listener: Listener): Promise<void>
  /** Resolves when every instance serves what this one has last loaded or saved, or has stopped serving. */
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
  /**
   * @param since the version of the last load or save; undefined at first
   * @throws BrokenStateError, or with a line for each error, if an operator must repair something first
   */
  load(since?: string): Promise<Loaded>
  /**
   * Saves one record, or several of them in one transaction.
   * @param changes none where only the ability to save is in question
   * @param over the version that the changes were made on top of
   * @param asLeader saves only if this instance leads
   * @returns the new version
   * @throws ConflictError, LeadershipLostError
   */
  save(changes: readonly RecordChange[], over: string, asLeader?: boolean): Promise<string>
  /** Secrets outlive the removal of their domain. */
  loadSecret(kind: SecretKind, name: string): Promise<string | undefined>
  /** Only the leader saves, where there are several instances. @param text undefined deletes it */
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
