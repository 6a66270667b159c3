// The state of all domains. Every change goes through here and takes effect once it is saved. One that `apply`
// makes, such as a removal, takes effect even if it cannot be saved.
import { formatConfiguration } from './configuration.ts'
import type { Domain } from './domain.ts'
import { type Draft, draftOf, type Snapshot, type StoredState, snapshotOf, storedOf } from './snapshot.ts'
import { ConflictError, type DomainStorage, LeadershipLostError } from './storage.ts'

export interface DomainState {
  current(): Snapshot
  /**
   * Applies one change at a time. Removing a domain removes its redirect; removing the primary domain removes all of them.
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
  /** The same state, whose changes are saved only while this instance is the leader. */
  asLeader(): DomainState
  /** Loads what another instance has saved. */
  reload(): Promise<void>
  /** The same, where there are other instances. */
  refresh(): Promise<void>
  /** Resolves when every instance serves the current state. */
  whenAcknowledged(): Promise<void>
  /** Waits for pending changes and rejects later ones. */
  close(): Promise<void>
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

/** Why something failed, for users: no path of this server, and no detail of its code. */
export function publicReason(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return 'an internal error, which the log describes'
  return (error as Error).message.replace(/(^|[\s'"])\/[^\s:,'"]+/g, '$1the storage')
}

/** @param create makes a domain that is in the configuration but not in the stored state */
export async function loadDomainState(
  storage: DomainStorage,
  create: (host: string) => Domain,
  observer?: ChangeObserver,
): Promise<DomainState> {
  const configuration = await storage.loadConfiguration()
  let current: Snapshot = snapshotOf(await storage.loadState(), configuration)
  let saved = formatConfiguration(configuration)
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let unsaved: NotSavedError | undefined

  function stored(snapshot: Snapshot): StoredState {
    const text = formatConfiguration(snapshot)
    return storedOf(snapshot, text === saved ? undefined : text)
  }

  async function save(next: Snapshot, asLeader: boolean) {
    // This write decides: from here on, the next start completes what a crash interrupts.
    await storage.saveState(stored(next), asLeader)
    const text = formatConfiguration(next)
    if (text === saved || !storage.saveConfiguration) return
    try {
      await storage.saveConfiguration(next)
    } catch (error) {
      const undo = storage.saveState(stored(current))
      const isUndone = await undo.then(() => true).catch(() => false)
      if (isUndone) throw error
      return // the change could not be undone, so it remains; the next commit saves the configuration
    }
    saved = text
    await storage.saveState(stored(next)).catch(() => {}) // the next commit clears the copy of the configuration
  }

  function enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = last.then(task)
    last = done.catch(() => {})
    return done
  }

  function changed<Result>(change: (draft: Draft) => Result): { draft: Draft; result: Result } {
    const draft = draftOf(current)
    const result = change(draft)
    dropDanglingRedirects(draft)
    observer?.complete(current, draft)
    return { draft, result }
  }

  function take(next: Snapshot) {
    current = next
    observer?.onChange()
  }

  async function load() {
    take(snapshotOf(await storage.loadState(), configuration))
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
      unsaved = new NotSavedError(publicReason(error), { cause: error })
      throw unsaved
    }
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
    asLeader: () => stateFor(true),
    reload: () => enqueue(load),
    refresh: async () => storage.shared && enqueue(load),
    whenAcknowledged: async () => storage.shared?.whenAcknowledged(),
    close: () =>
      enqueue(async () => {
        isClosed = true
      }),
  })
  const state = stateFor(false)
  await state.apply(({ domains, primary, redirects }) => {
    for (const host of [primary, ...redirects.keys()]) {
      if (host === undefined) continue
      const known = domains.get(host)
      if (!known || known.isPlatform) domains.set(host, create(host))
    }
  })
  return state
}

/** The primary domain must exist, and only other existing domains redirect to it. */
function dropDanglingRedirects(draft: Draft) {
  const { domains, redirects } = draft
  if (draft.primary !== undefined && !domains.has(draft.primary)) draft.primary = undefined
  const { primary } = draft
  for (const host of redirects.keys()) {
    if (primary === undefined || host === primary || !domains.has(host)) redirects.delete(host)
  }
}
