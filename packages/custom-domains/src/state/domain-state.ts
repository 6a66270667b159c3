// The state of all domains. Every change goes through here and takes effect once it is saved. One that `apply`
// makes, such as a removal, takes effect even if it cannot be saved.
import { damagedDomain, type StandInOptions } from './damaged-domain.ts'
import type { Domain } from './domain.ts'
import { keysThatDiffer } from './layered-map.ts'
import { changesBetween, type Damage, faultOf, hostsThatDiffer, snapshotOf, withRecords } from './records.ts'
import { type Draft, draftOf, emptySnapshot, type Snapshot } from './snapshot.ts'
import {
  ConflictError,
  type DomainStorage,
  LeadershipLostError,
  type RecordChange,
  StorageUnavailableError,
  type StoredRecord,
} from './storage.ts'

export interface DomainState {
  current(): Snapshot
  /**
   * Applies one change at a time. Removing a domain removes its roles, its redirect, and those that lead to it.
   * @returns the result of `change`
   * @throws NotSavedError, and then nothing has changed
   */
  commit<Result>(change: (draft: Draft) => Result): Promise<Result>
  /**
   * Commits a change, or applies it without saving it. The next commit saves it, too.
   * @returns why it is not saved
   */
  apply(change: (draft: Draft) => void): Promise<NotSavedError | undefined>
  /** Why the last change could not be saved. */
  unsaved(): NotSavedError | undefined
  /** The stored records that cannot be used; a damaged domain is part of the snapshot, too, with a problem. */
  damaged(): Damage[]
  /** The same state, whose changes are saved only while this instance is the leader. */
  asLeader(): DomainState
  /** Loads what other instances have saved. */
  reload(): Promise<void>
  /** The same, where the storage is shared with other instances. */
  refresh(): Promise<void>
  /** Resolves when every instance serves the current state. */
  whenAcknowledged(): Promise<void>
  /** Waits for pending changes and rejects later ones. */
  close(): Promise<void>
}

export interface StateOptions extends Pick<StandInOptions, 'certificateOf'> {
  observer?: ChangeObserver | undefined
  /** The storage has lost changes. @param hosts whose domain, redirect or certificate differs from before */
  onRewound?(hosts: string[]): void
}

/** Follows every change. */
export interface ChangeObserver {
  /** Completes a change before it is saved; called again if the change is made again. */
  complete(before: Snapshot, draft: Draft): void
  /** A change has taken effect. */
  onChange(): void
}

/** The storage rejects changes: a full disk, a database that is down. The message is for users, the cause for the log. */
export class NotSavedError extends Error {}

export const isOfStorage = (error: unknown): boolean =>
  error instanceof NotSavedError || error instanceof StorageUnavailableError

/** Names the errors of the storage, which may throw any, so that they differ from others of an attempt. */
export async function ofStorage<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof LeadershipLostError || isOfStorage(error)) throw error
    throw new NotSavedError(publicReason(error), { cause: error })
  }
}

/** Why something failed, for users: no path of this server, and no detail of its code. */
export function publicReason(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return 'an internal error, which the log describes'
  return (error as Error).message.replace(/(^|[\s'"])\/[^\s:,'"]+/g, '$1the storage')
}

/** @param create makes a domain that is in the configuration, or whose record is damaged @throws if there can be none */
export async function loadDomainState(
  storage: DomainStorage,
  create: (host: string) => Domain,
  { observer, certificateOf, onRewound }: StateOptions = {},
): Promise<DomainState> {
  let version: string | undefined
  /** The snapshot as the storage has it. */
  let stored = emptySnapshot
  let current = stored
  const damage = new Map<string, Damage>()
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let unsaved: NotSavedError | undefined
  /** False until it has been found out, and after a failure. */
  let canSave = false

  const idOf = ({ kind, name }: RecordChange) => `${kind} ${name}`

  async function load() {
    const loaded = await storage.load(version)
    if (loaded.isWhole) damage.clear()
    const records: RecordChange[] = []
    for (const record of loaded.records) {
      const { kind, name } = record
      const reason = faultOf(record)
      if (reason === undefined) damage.delete(idOf(record))
      else damage.set(idOf(record), { kind, name, reason })
      records.push(reason === undefined ? record : { kind, name, value: await standInFor(record, reason) })
    }
    const before = stored
    stored = loaded.isWhole ? snapshotOf(records) : withRecords(stored, records)
    version = loaded.version
    take(stored)
    if (loaded.isRewound) onRewound?.(hostsThatDiffer(before, stored))
  }

  async function standInFor(record: StoredRecord, reason: string): Promise<Domain | undefined> {
    return record.kind === 'domain' ? damagedDomain(record, reason, { create, certificateOf }) : undefined
  }

  async function save(next: Snapshot, asLeader: boolean) {
    const changes = changesBetween(stored, next)
    if (changes.length > 0 || !canSave) version = await storage.save(changes, version as string, asLeader)
    for (const change of changes) damage.delete(idOf(change))
    stored = next
  }

  function enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = last.then(task)
    last = done.catch(() => {})
    return done
  }

  function changed<Result>(change: (draft: Draft) => Result): { draft: Draft; result: Result } {
    const draft = draftOf(current)
    const result = change(draft)
    dropDangling(current, draft)
    observer?.complete(current, draft)
    return { draft, result }
  }

  function take(next: Snapshot) {
    current = next
    observer?.onChange()
  }

  /** Another instance has saved a change: this one is made again, on top of it. */
  async function reloadOnConflict(error: unknown): Promise<never> {
    if (error instanceof ConflictError) await load()
    throw error
  }

  async function commit<Result>(change: (draft: Draft) => Result, asLeader: boolean): Promise<Result> {
    if (isClosed) throw new Error('the domains can no longer be changed: the server is shutting down')
    const { draft, result } = changed(change)
    try {
      await save(draft, asLeader).catch(reloadOnConflict)
    } catch (error) {
      if (error instanceof ConflictError) return commit(change, asLeader)
      if (error instanceof LeadershipLostError) throw error
      canSave = false
      unsaved = new NotSavedError(publicReason(error), { cause: error })
      throw unsaved
    }
    canSave = true
    unsaved = undefined
    take(draft)
    return result
  }

  const stateFor = (asLeader: boolean): DomainState => ({
    current: () => current,
    commit: (change) => enqueue(() => commit(change, asLeader)),
    apply: (change) =>
      enqueue(async () => {
        try {
          await commit(change, asLeader)
          return undefined
        } catch (error) {
          if (!(error instanceof NotSavedError)) throw error
          take(changed(change).draft)
          return error
        }
      }),
    unsaved: () => unsaved,
    damaged: () => [...damage.values()],
    asLeader: () => stateFor(true),
    reload: () => enqueue(load),
    refresh: async () => storage.shared && enqueue(load),
    whenAcknowledged: async () => storage.shared?.whenAcknowledged(),
    close: () =>
      enqueue(async () => {
        isClosed = true
      }),
  })
  await load()
  const state = stateFor(false)
  await state.apply(({ domains, roles, redirects }) => {
    const targets = Array.from(redirects.values(), ({ to }) => to)
    for (const host of [...roles.values(), ...targets, ...redirects.keys()]) {
      const existing = domains.get(host)
      if (!existing || existing.isPlatform) domains.set(host, create(host))
    }
  })
  return state
}

/** A domain that is removed takes its roles and redirects along, and the redirects that lead to it. */
function dropDangling(before: Snapshot, { domains, redirects, roles }: Draft) {
  if (keysThatDiffer(before.domains, domains).every((host) => domains.has(host))) return
  for (const [role, host] of roles) if (!domains.has(host)) roles.delete(role)
  for (const [host, { to }] of redirects) if (!domains.has(host) || !domains.has(to)) redirects.delete(host)
}
